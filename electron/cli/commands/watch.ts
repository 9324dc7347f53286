import type { ChangeEvent } from '../../../shared/contract/events.ts';
import { formatDuration, formatTime } from '../../../shared/model/format.ts';
import { pullEvents } from '../../../shared/model/pulled-events.ts';
import { tell } from '../output/failures.ts';
import type { Command, Session } from '../session/command.ts';
import type { OpenStore } from '../session/open-store.ts';

const RETRY_MS = [100, 500, 2_000, 5_000] as const;
const LONGEST_RETRY_MS = 15_000;

export const watch: Command = {
  name: 'watch',
  summary: 'Tell every change as it happens, an event a line, until Ctrl-C or --limit [V3]',
  arguments: [],
  options: {
    from: {
      value: 'R',
      help: 'from this revision or revision.position on, inclusive (default: from now on)',
    },
    collection: { value: 'COLLECTION', help: 'only of this one' },
    limit: { value: 'N', help: 'end after so many events' },
  },
  notes: [
    'With --json each line is an event with its `id`; {"kind":"end"} closes what belongs together.',
    'A connection that breaks is made again, and goes on behind the last event that was told.',
  ],
  store: 'opens',
  async run(session) {
    const limit = session.given.number('limit') ?? Number.POSITIVE_INFINITY;
    if (!(limit >= 1)) throw session.given.wrong('--limit is at least 1.');
    const progress: Progress = { from: undefined, seen: undefined, through: undefined, told: 0 };
    for (let failures = 0; !session.signal.aborted; ) {
      try {
        for await (const { id, event } of eventsFrom(session, progress)) {
          await session.terminal.answer({ id, ...event }, () => linesOf(id, event));
          progress.seen = id;
          progress.told += 1;
          failures = 0;
          if (progress.told >= limit) return undefined;
        }
        if (session.signal.aborted) break;
      } catch (error) {
        if (session.signal.aborted) break;
        // What the store itself says stays true when it is asked again.
        if (tell(error) !== undefined && !isAway(error)) throw error;
      }
      session.terminal.say('The connection ended; connecting again …');
      await session.clock.sleep(RETRY_MS[failures] ?? LONGEST_RETRY_MS, session.signal);
      failures += 1;
    }
    return undefined;
  },
};

/** Where to begin, and the last event that was told. */
interface Progress {
  from: string | undefined;
  seen: string | undefined;
  /** Of the first connection. */
  through: OpenStore['through'] | undefined;
  told: number;
}

function isAway(error: unknown): boolean {
  const told = tell(error);
  return (
    told !== undefined &&
    ['SERVICE_UNAVAILABLE', 'UNREACHABLE', 'STORE_IN_USE', 'ECONNREFUSED', 'ECONNRESET'].includes(told.code)
  );
}

/** Over one connection, which it ends with. */
async function* eventsFrom(
  { given, signal, open }: Session,
  progress: Progress,
): AsyncGenerator<{ id: string; event: ChangeEvent }> {
  const { client, close, through } = await open({ elsewhere: progress.through === 'owner' });
  try {
    const collection = given.text('collection');
    progress.through = through;
    // Where nothing was told yet, what happens until the next connection is not to be missed either.
    progress.from ??= given.text('from') ?? String((await client.store.info()).revision + 1);
    const of = collection === undefined ? {} : { collection };
    yield* await pullEvents(
      (from, waitMs) => client.events.read({ ...of, from, waitMs }, { signal }),
      { from: progress.from, lastEventId: progress.seen },
      signal,
    );
  } finally {
    await close();
  }
}

function linesOf(id: string, event: ChangeEvent): string[] {
  if (event.kind === 'end') return [];
  const { at, kind, collection, _id } = event;
  const why =
    event.kind === 'expire' ? `  ${event.action} by ${event.index}, ${formatDuration(event.lagMs)} late` : '';
  return [`${formatTime(at, 'local')}  ${id}  ${kind}  ${collection}  ${_id}${why}`];
}
