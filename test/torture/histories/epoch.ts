import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { changeEvent } from '../../../shared/contract/events.ts';
import { Random } from '../../support/random.ts';
import { documentModel } from './checker/document-model.ts';
import {
  compareIds,
  gaps,
  moveDifferences,
  type Purged,
  purgedBy,
  type ReceivedEvent,
  replayDifferences,
  type StoredAt,
  watchDifferences,
} from './checker/event-log.ts';
import { linearize } from './checker/linearizable.ts';
import { runClient } from './clients.ts';
import { cliffPrefix, cliffsExpired, writeCliffs } from './cliffs.ts';
import { moveClock } from './clock/clock-moves.ts';
import type { HostClock } from './clock/host-clock.ts';
import { listArchive, listOnce } from './read-calls.ts';
import { ARCHIVES, COLLECTION, Recorder } from './recorder.ts';
import { type Answer, callHost, type RestartingHost } from './restarting-host.ts';
import { churningWatch, type Watch } from './watches.ts';

const CLIENTS = 8;
const DOCUMENTS = 24;
const CHURNING_WATCHES = 3;
const WATCH_TIMEOUT_MS = 30_000;

const page = z.object({
  events: z.array(z.object({ id: z.string(), event: changeEvent })),
  next: z.string(),
});
const compactedPage = z.object({ data: z.object({ oldest: z.number() }) });

/** The log as the main watch received it, as far back as the store keeps it. */
export interface Log {
  readonly main: Watch;
  events: ReceivedEvent[];
  /** Purges of all epochs. */
  readonly purges: Purged[];
}

export interface EpochOptions {
  readonly host: RestartingHost;
  readonly clock: HostClock;
  readonly log: Log;
  readonly number: number;
  readonly seed: number;
  /** Number of calls of all clients. The fault happens somewhere among them. */
  readonly calls: number;
  /** How the host may be ended; null: not at all. */
  readonly signals: readonly ('SIGKILL' | 'SIGTERM' | null)[];
  /** Whether the host's clock is moved meanwhile. */
  readonly isClockMoved: boolean;
  /** Whether more than a thousand documents become due at one instant meanwhile. */
  readonly hasCliffs: boolean;
  /** Bytes of ids that are written to another collection, so that the log is compacted. */
  readonly fillerBytes: number;
}

export interface EpochReport {
  readonly met: Readonly<Record<string, number>>;
  readonly failures: readonly string[];
}

/** Eight clients on documents of their own, a fault among their calls, watches; then everything is checked. */
export async function runEpoch(options: EpochOptions): Promise<EpochReport> {
  const { host, clock, log, number, seed, calls } = options;
  const random = new Random(seed);
  const prefix = `e${String(number).padStart(6, '0')}`;
  const ids = Array.from({ length: DOCUMENTS }, (_, i) => `${prefix}-${String(i).padStart(2, '0')}`);
  const recorder = new Recorder(ids, clock.time);
  let left = calls;
  const isOver = () => left <= 0;
  const clients = Array.from({ length: CLIENTS }, () =>
    runClient(host, new Random(random.between(0, 2 ** 31)), recorder, {
      isOver: () => left-- <= 0,
      received: () => log.main.revision,
    }),
  );
  const newest = log.main.revision;
  const watches = Array.from({ length: CHURNING_WATCHES }, (_, i) =>
    churningWatch(host, new Random(random.between(0, 2 ** 31)), newest, COLLECTION, `watch ${i}`),
  );
  const filling = fill(options, random, isOver);
  const cliffs = options.hasCliffs
    ? writeCliffs(options, { random: new Random(random.between(0, 2 ** 31)), recorder }, isOver)
    : null;
  const moving = options.isClockMoved
    ? moveClock({ host, clock, random: new Random(random.between(0, 2 ** 31)), recorder }, isOver)
    : null;
  const leftAtFault = random.between(1, calls);
  while (left > leftAtFault) await wait(2);
  const signal = random.pick(options.signals);
  if (signal !== null) {
    await clock.exclusively(() => host.restart(signal));
    recorder.count(signal);
  }
  await Promise.all([...clients, filling, cliffs, moving]);
  const life = await host.life();
  const call = (method: string, path: string, body?: unknown) => callHost(life, method, path, body);
  const archived = new Map<string, StoredAt>();
  for (const name of ARCHIVES) archived.set(name, await listArchive({ recorder, call }, name));
  const last = await listOnce({ recorder, call }, true);
  const failures = [...recorder.failures];
  await caughtUp(log.main, last, failures);
  for (const watch of watches) await watch.close();
  log.purges.push(...recorder.purges);
  failures.push(...(await checkEvents(options, { newest, watches, recorder, archived, call })));
  const model = documentModel(era => clock.time.peak(era));
  for (const [id, history] of recorder.calls) {
    const { is, found, stuck } = linearize(model, history);
    recorder.count(`histories ${is}`);
    if (is !== 'linearizable')
      failures.push(
        `the calls of ${id} are ${is}: ${JSON.stringify({ after: found.slice(-4), none_follows: stuck })}`,
      );
  }
  return { met: recorder.met, failures };
}

/** Writes documents with long ids to another collection, so that the log reaches its limit. */
async function fill(
  { host, fillerBytes }: EpochOptions,
  random: Random,
  isOver: () => boolean,
): Promise<void> {
  const ids = Array.from({ length: 100 }, (_, i) => `${i}${'x'.repeat(500)}`);
  for (let left = fillerBytes; left > 0 && !isOver(); left -= 50_000) {
    const life = await host.life();
    if (!life.isEnding)
      await callHost(
        life,
        'POST',
        '/api/collections/filler/documents?mode=upsert',
        ids.map(_id => ({ _id })),
      );
    await wait(random.between(20, 200));
  }
}

async function caughtUp(main: Watch, revision: number, failures: string[]): Promise<void> {
  const until = performance.now() + WATCH_TIMEOUT_MS;
  while (main.revision < revision && main.failures.length === 0) {
    if (performance.now() > until) {
      failures.push(`the watch has revision ${main.revision} and not ${revision}`);
      return;
    }
    await wait(5);
  }
}

type CallNow = (method: string, path: string) => ReturnType<typeof callHost>;

async function checkEvents(
  { log, number }: EpochOptions,
  {
    newest,
    watches,
    recorder,
    archived,
    call,
  }: {
    newest: number;
    watches: readonly Watch[];
    recorder: Recorder;
    /** Documents of each archive at the end. */
    archived: ReadonlyMap<string, StoredAt>;
    call: CallNow;
  },
): Promise<string[]> {
  const isPurged = purgedBy(log.purges, COLLECTION);
  const failures: string[] = [...log.main.failures, ...watches.flatMap(one => one.failures)];
  const spans = log.main.take();
  const [span] = spans;
  if (span === undefined || spans.length > 1)
    return [...failures, 'the log was compacted past the main watch'];
  failures.push(...gaps(span.from, span.received));
  log.events.push(...span.received);
  const { events, oldest } = await readLog(call, newest + 1);
  const from = `${oldest > 1 ? oldest : newest + 1}.0`;
  // Events read live and read now are the same, with the same ids, from the oldest revision that is kept on.
  const kept = log.events.filter(({ id }) => compareIds(id, from) >= 0);
  const last = log.events.at(-1)?.event.revision ?? 0;
  const known = events.filter(({ event }) => event.revision <= last);
  failures.push(
    ...watchDifferences(kept, { name: 'the log', from, collection: undefined, received: known }, isPurged),
  );
  for (const watch of watches) {
    for (const one of watch.take()) {
      failures.push(...watchDifferences(log.events, one, isPurged));
      recorder.count('spans of churning watches');
    }
    add(recorder, 'events of churning watches', watch.met.events);
    add(recorder, 'connections of churning watches', watch.met.connections);
    add(recorder, 'watches that were told of a compaction', watch.met.compacted);
  }
  const own = span.received.filter(
    ({ event }) => event.kind === 'end' || event._id.startsWith(`e${String(number).padStart(6, '0')}`),
  );
  failures.push(...replayDifferences(own, COLLECTION, recorder), ...moveDifferences(own, COLLECTION));
  const ofCliffs = span.received.filter(
    ({ event }) => event.kind === 'end' || event._id.startsWith(cliffPrefix(number)),
  );
  failures.push(...replayDifferences(ofCliffs, COLLECTION, { stored: [], acknowledged: [] }));
  add(recorder, 'cliffs that expired at once', cliffsExpired(ofCliffs));
  for (const [name, stored] of archived)
    failures.push(...replayDifferences(own, name, { stored: [stored], acknowledged: [] }));
  const moves = own.filter(({ event }) => event.kind === 'expire' && event.action === 'move');
  add(recorder, 'documents moved', moves.length);
  add(recorder, 'events', span.received.length);
  add(recorder, 'lists compared with the events', recorder.stored.length);
  if (oldest > 1) log.events = log.events.filter(({ event }) => event.revision >= oldest);
  return failures;
}

function add(recorder: Recorder, what: string, count: number): void {
  recorder.met[what] = (recorder.met[what] ?? 0) + count;
}

/** The log as it is kept now: from the oldest revision kept, or from `from` if all are kept. */
async function readLog(call: CallNow, from: number): Promise<{ events: ReceivedEvent[]; oldest: number }> {
  const events: ReceivedEvent[] = [];
  const first = await call('GET', '/api/changes?from=1&limit=1');
  const oldest = oldestIn(first.answer) ?? 1;
  for (let at = `${oldest > 1 ? oldest : from}.0`; ; ) {
    const { answer } = await call('GET', `/api/changes?from=${at}&limit=1000`);
    if (answer === null) throw new Error('the host ended');
    // It was compacted since.
    if (oldestIn(answer) !== null) return readLog(call, from);
    const { events: more, next } = page.parse(answer.body);
    if (more.length === 0) return { events, oldest };
    events.push(...more);
    at = next;
  }
}

function oldestIn(answer: Answer | null): number | null {
  return answer?.status === 410 ? compactedPage.parse(answer.body).data.oldest : null;
}
