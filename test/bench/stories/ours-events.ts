import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { ChangeReader } from '../../../electron/engine/backends/embedded/read/read-changes.ts';
import { ReadConnection } from '../../../electron/engine/backends/embedded/read/read-connection.ts';
import { type EmbeddedStore, openEmbeddedStore } from '../../../electron/engine/backends/embedded/store.ts';
import { newPass } from '../../../electron/engine/expiry/passes.ts';
import { systemClock } from '../../../electron/engine/platform/clock.ts';
import { type ServedHost, startServedHost } from '../../support/served-host.ts';
import { type Figures, median, perSecond } from '../figures.ts';
import { DAY_S, HOUR_MS, type Story } from '../story.ts';
import { COLLECTION, definition, fill, makeCollection, openOurs, storeIn } from './ours-engine.ts';

/** Events of a page, as `GET /api/events` reads them. */
const A_PAGE = 500;
const TIMES = 3;
/** Between two events of a stream. */
const BLANK_LINE = Buffer.from('\n\n');
const END = '"kind":"end"';

/**
 * Lets all documents of a store expire in one commit, and reads their events from its revision on: by pages of a reader's
 * connection, before and after the sweep has listed them, and over HTTP from a served host.
 */
export const oursEvents: Story = async ({ documents, keys, order, seed }, folder): Promise<Figures> => {
  const file = storeIn(folder);
  const first = openOurs(file);
  makeCollection(first.engine, DAY_S, 0);
  const from = Date.now() - 2 * HOUR_MS;
  await fill(first.engine, { documents, keys, order, from, spanMs: HOUR_MS, seed });
  await first.stop();

  // Without a reaper, which would begin to sweep at once.
  const store = openEmbeddedStore({ file, clock: systemClock, reads: 'inline' });
  store.changeIndex(COLLECTION, definition(0, 0), { by: 'bench', isExpected: true });
  expireAll(store, documents);
  const { revision } = store;
  const unlistedMs = pagesMs(file, revision, documents);
  while (store.expiry.sweep(8));
  const listedMs = pagesMs(file, revision, documents);
  await store.close();

  const host = await startServedHost({ run: 'build', folder: dirname(file) });
  try {
    const streamMs: number[] = [];
    for (let i = 0; i < TIMES; i += 1) streamMs.push(await streamedMs(host, revision, documents));
    return {
      unlistedPerSecond: perSecond(documents, unlistedMs),
      listedPerSecond: perSecond(documents, listedMs),
      streamedPerSecond: perSecond(documents, median(streamMs)),
    };
  } finally {
    await host.stop();
  }
};

function expireAll({ expiry }: EmbeddedStore, documents: number): void {
  const cutoff = Date.now();
  let removed = 0;
  for (const source of expiry.sources()) {
    const pass = newPass({
      id: expiry.nextPassId(),
      collection: COLLECTION,
      trigger: 'manual',
      at: cutoff,
    });
    const limits = {
      cutoff,
      budgetMs: () => Number.POSITIVE_INFINITY,
      maxDocuments: Number.POSITIVE_INFINITY,
      isLast: true,
    };
    if (expiry.due(source, cutoff) > 0) removed += expiry.reap(source, limits, pass).removed;
  }
  if (removed !== documents) throw new Error(`${removed} documents expired in the first batch.`);
}

/** Duration of reading all events of a revision by pages, each from a snapshot of its own, ms. */
function pagesMs(file: string, revision: number, documents: number): number {
  const reader = new ReadConnection(file);
  const began = performance.now();
  const changes = reader.read(() => new ChangeReader(reader));
  let events = 0;
  for (let from = { revision, position: 0 }; from.revision === revision; ) {
    const page = reader.read(() => changes.read({ from, limit: A_PAGE }));
    events += page.events.length;
    from = page.next;
  }
  const ms = performance.now() - began;
  reader.close();
  // And the marker of the revision.
  if (events !== documents + 1) throw new Error(`${events} events were read.`);
  return ms;
}

/** Duration of reading all events of a revision from `GET /api/events`, ms. */
async function streamedMs(
  { origin, token }: ServedHost,
  revision: number,
  documents: number,
): Promise<number> {
  const began = performance.now();
  const request = get(`${origin}/api/events?from=${revision}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (response?.statusCode !== 200) throw new Error(`The stream was answered with ${response?.statusCode}.`);
  let events = 0;
  let tail = '';
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('The stream has texts.');
    for (let at = chunk.indexOf(BLANK_LINE); at >= 0; at = chunk.indexOf(BLANK_LINE, at + 2)) events += 1;
    tail = `${tail.slice(-END.length)}${chunk.toString('latin1')}`;
    if (tail.includes(END)) break;
  }
  const ms = performance.now() - began;
  request.destroy();
  // A blank line that two chunks share is not counted.
  if (events < documents * 0.99) throw new Error(`${events} events were streamed.`);
  return ms;
}
