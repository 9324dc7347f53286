import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { changeEvent } from '../../../shared/contract/events.ts';
import { fetchFrom, type ServedHost, startServedHost } from '../../support/served-host.ts';
import { serverSentEvents } from '../../support/server-sent-events.ts';

interface ReceivedEvent {
  id: string | undefined;
  data: unknown;
}

/** Collects the events of a watch until it ends or `enough` returns true. */
async function watch(
  host: ServedHost,
  query: string,
  headers: Record<string, string>,
  enough: (received: readonly ReceivedEvent[]) => boolean,
): Promise<ReceivedEvent[]> {
  const received: ReceivedEvent[] = [];
  const controller = new AbortController();
  try {
    const response = await fetch(`${host.origin}/api/events${query}`, {
      headers: { authorization: `Bearer ${host.token}`, ...headers },
      signal: controller.signal,
    });
    for await (const { id, data } of serverSentEvents(response)) {
      received.push({ id, data });
      if (enough(received)) break;
    }
  } catch {
    // The stream fails when the host is killed.
  } finally {
    controller.abort();
  }
  return received;
}

it('[V2, V3] events sent before a host is killed are sent again after it with the same ids, and a watch continues after them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandglass-events-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const first = await startServedHost({ folder });
  onTestFinished(async () => void (await first.stop('SIGKILL')));
  await fetchFrom(first, 'POST', '/api/collections', '{"name": "c"}');
  const index =
    '{"name": "exp", "source": {"kind": "field", "field": "exp", "unit": "milliseconds", "expireAfter": 0}}';
  await fetchFrom(first, 'POST', '/api/collections/c/ttl-indexes', index);
  const watching = watch(first, '?from=1', {}, received => received.length >= 400);
  let acknowledged = 0;
  const writing = (async () => {
    try {
      for (let i = 0; ; i++) {
        const documents = Array.from({ length: 10 }, (_, n) => ({
          _id: `${i}-${n}`,
          exp: n === 0 ? 1e12 : undefined,
        }));
        const { status } = await fetchFrom(
          first,
          'POST',
          '/api/collections/c/documents',
          JSON.stringify(documents),
        );
        if (status === 200) acknowledged += 10;
      }
    } catch {
      // The call fails when the host is killed.
    }
  })();
  const before = await watching;
  first.process.kill('SIGKILL');
  await writing;
  expect(before).toHaveLength(400);

  const second = await startServedHost({ folder });
  onTestFinished(async () => void (await second.stop('SIGKILL')));
  const again = await watch(second, '?from=1', {}, received => received.length >= before.length);
  expect(again).toEqual(before);
  const marker = await fetchFrom(second, 'POST', '/api/collections/c/documents', '{"_id": "after"}');
  expect(marker.status).toBe(200);
  const isLast = ({ data }: ReceivedEvent) => JSON.stringify(data).includes('"_id":"after"');
  const rest = await watch(second, '', { 'last-event-id': before.at(-1)?.id ?? '' }, received =>
    received.some(isLast),
  );
  const ids = [...before, ...rest].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const events = [...before, ...rest].map(({ data }) => changeEvent.parse(data));
  const inserted = events.filter(({ kind }) => kind === 'insert');
  expect(inserted.length).toBeGreaterThanOrEqual(acknowledged);
  expect(events.filter(({ kind }) => kind === 'expire').length).toBeGreaterThan(10);
  // Revisions in order and complete: positions without a gap, then the marker.
  let revision = 0;
  let position = 0;
  for (const event of events) {
    if (position === 0) expect(event.revision).toBe(revision + 1);
    revision = event.revision;
    if (event.kind === 'end') position = 0;
    else expect(event.position).toBe(position++);
  }
}, 60_000);
