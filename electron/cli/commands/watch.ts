import type { ChangeEvent } from '../../../shared/contract/events.ts';
import { pullEvents } from '../../../shared/model/change-log/pulled-events.ts';
import { formatDuration, formatTime } from '../../../shared/model/format.ts';
import { expectedFailure } from '../output/failures.ts';
import type { Command, Session } from '../session/command.ts';
import type { OpenStore } from '../session/open-store.ts';

const RETRY_MS = [100, 500, 2_000, 5_000] as const;
const LONGEST_RETRY_MS = 15_000;

export const watch: Command = {
  name: 'watch',
  summary: 'Print every change as it happens, one event per line, until Ctrl-C or --limit',
  arguments: [],
  options: {
    from: {
      value: 'R',
      help: 'first revision or revision.position, inclusive (default: from now on)',
    },
    collection: { value: 'COLLECTION', help: 'only changes of this collection' },
    limit: { value: 'N', help: 'end after N events' },
  },
  notes: [
    'With --json each line is an event with its `id`; {"kind":"end"} ends a revision.',
    'A lost connection is restored, and continues after the last printed event.',
  ],
  store: 'opens',
  async run(session) {
    const limit = session.args.number('limit') ?? Number.POSITIVE_INFINITY;
    if (!(limit >= 1)) throw session.args.wrong('--limit must be at least 1.');
    const progress: Progress = { from: undefined, seen: undefined, through: undefined, printed: 0 };
    for (let failures = 0; !session.signal.aborted; ) {
      try {
        for await (const { id, event } of eventsFrom(session, progress)) {
          await session.terminal.answer({ id, ...event }, () => formatEvent(id, event));
          progress.seen = id;
          progress.printed += 1;
          failures = 0;
          if (progress.printed >= limit) return undefined;
        }
        if (session.signal.aborted) break;
      } catch (error) {
        if (session.signal.aborted) break;
        // Reconnecting does not help: the store would refuse the call again.
        if (expectedFailure(error) !== undefined && !isUnreachable(error)) throw error;
      }
      session.terminal.message('The connection ended; reconnecting …');
      await session.clock.sleep(RETRY_MS[failures] ?? LONGEST_RETRY_MS, session.signal);
      failures += 1;
    }
    return undefined;
  },
};

/** Position of the watch. */
interface Progress {
  from: string | undefined;
  seen: string | undefined;
  /** `OpenStore.through` of the first connection. */
  through: OpenStore['through'] | undefined;
  printed: number;
}

function isUnreachable(error: unknown): boolean {
  const failure = expectedFailure(error);
  return (
    failure !== undefined &&
    ['SERVICE_UNAVAILABLE', 'UNREACHABLE', 'STORE_IN_USE', 'ECONNREFUSED', 'ECONNRESET'].includes(
      failure.code,
    )
  );
}

/** Yields the events of one connection until that ends. */
async function* eventsFrom(
  { args, signal, open }: Session,
  progress: Progress,
): AsyncGenerator<{ id: string; event: ChangeEvent }> {
  const { client, close, through } = await open({ onlyIfOpen: progress.through === 'owner' });
  try {
    const collection = args.text('collection');
    progress.through = through;
    // Fixed by the first connection, so that a reconnect before the first event misses none.
    progress.from ??= args.text('from') ?? String((await client.store.info()).revision + 1);
    const filter = collection === undefined ? {} : { collection };
    yield* await pullEvents(
      (from, waitMs) => client.events.read({ ...filter, from, waitMs }, { signal }),
      { from: progress.from, lastEventId: progress.seen },
      signal,
    );
  } finally {
    await close();
  }
}

function formatEvent(id: string, event: ChangeEvent): string[] {
  if (event.kind === 'end') return [];
  const { at, kind, collection, _id } = event;
  const why =
    event.kind === 'expire' ? `  ${event.action} by ${event.index}, ${formatDuration(event.lagMs)} late` : '';
  return [`${formatTime(at, 'local')}  ${id}  ${kind}  ${collection}  ${_id}${why}`];
}
