import { formatLogPosition, nextLogPosition, parseLogPosition } from './log-position.ts';

/** Longest time that one call waits for events, ms. */
const WAIT_MS = 25_000;

export interface PulledEvent<Event> {
  /** `revision.position` [V3]. */
  id: string;
  event: Event;
}

/** A page of the change log, as `events.read` returns it. */
export interface LogPage<Event> {
  events: PulledEvent<Event>[];
  next: string;
}

export interface Beginning {
  /** Inclusive; absent: from now on. The store refuses an invalid position. */
  from?: unknown;
  /** The last event received: the watch continues after this event, regardless of `from`. */
  lastEventId?: string | undefined;
}

/**
 * Yields events at the pace of their reader: the next page is requested after the last event was taken. A stream over a
 * port or a socket is buffered without limit for a slow reader; this generator never holds more than a page [V3].
 * Rejects with the store's refusal before the first event.
 */
export async function pullEvents<Event>(
  read: (from: unknown, waitMs: number) => Promise<LogPage<Event>>,
  { from, lastEventId }: Beginning,
  signal?: { readonly aborted: boolean },
): Promise<AsyncGenerator<PulledEvent<Event>>> {
  const first = await read(positionAfter(lastEventId) ?? from, 0);
  return (async function* () {
    let { events, next } = first;
    while (signal?.aborted !== true) {
      yield* events;
      ({ events, next } = await read(next, WAIT_MS));
    }
  })();
}

/** Returns the position after a received event; null if none was received: a browser then sends an empty id. */
export function positionAfter(lastEventId: string | undefined): string | null {
  if (lastEventId === undefined || lastEventId === '') return null;
  const place = parseLogPosition(lastEventId);
  return place === null ? lastEventId : formatLogPosition(nextLogPosition(place));
}
