import { getEventMeta } from '@orpc/client';
import type { ChangeEvent } from '../../../shared/contract/events.ts';
import { formatDuration, formatTime } from '../../../shared/model/format.ts';
import type { Command, Session } from '../command.ts';
import { tell } from '../failures.ts';

const RETRY_MS = [100, 500, 2_000, 5_000] as const;
const LONGEST_RETRY_MS = 15_000;

export const watch: Command = {
  name: 'watch',
  summary: 'Tell every change as it happens, an event a line, until Ctrl-C [V3]',
  arguments: [],
  options: {
    from: {
      value: 'R',
      help: 'from this revision or revision.position on, inclusive (default: from now on)',
    },
    collection: { value: 'COLLECTION', help: 'only of this one' },
  },
  notes: [
    'With --json each line is an event with its `id`; {"kind":"end"} closes what belongs together.',
    'A connection that breaks is made again, and goes on behind the last event that was told.',
  ],
  store: 'opens',
  async run(session) {
    let seen: string | undefined;
    for (let failures = 0; !session.signal.aborted; ) {
      try {
        for await (const { id, event } of eventsFrom(session, seen)) {
          await session.terminal.answer({ id, ...event }, () => linesOf(id, event));
          seen = id;
          failures = 0;
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

function isAway(error: unknown): boolean {
  const told = tell(error);
  return (
    told !== undefined &&
    ['SERVICE_UNAVAILABLE', 'UNREACHABLE', 'STORE_IN_USE', 'ECONNREFUSED', 'ECONNRESET'].includes(told.code)
  );
}

/** Over one connection; behind `seen`, where something was seen. Ends when the connection does. */
async function* eventsFrom(
  { given, signal, open }: Session,
  seen: string | undefined,
): AsyncGenerator<{ id: string; event: ChangeEvent }> {
  const { client, close } = await open();
  const collection = given.text('collection');
  const from = seen ?? given.text('from');
  const events = await client.events.watch(
    { ...(collection === undefined ? {} : { collection }), ...(from === undefined ? {} : { from }) },
    { signal },
  );
  try {
    for await (const event of events) {
      const id = getEventMeta(event)?.id ?? String(event.revision);
      // `from` is inclusive, and that one was told.
      if (id !== seen) yield { id, event };
    }
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
