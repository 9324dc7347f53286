import { placeBehind, placeText, readPlace } from './log-place.ts';

/** How long one question waits for something to happen before it is asked again. */
const WAIT_MS = 25_000;

export interface PulledEvent<Event> {
  /** `revision.position` [V3]. */
  id: string;
  event: Event;
}

/** A page of the change log, as `events.read` answers it. */
export interface LogPage<Event> {
  events: PulledEvent<Event>[];
  next: string;
}

export interface Beginning {
  /** Inclusive; without it, from now on. What is no place is left for the store to refuse. */
  from?: unknown;
  /** The last event that was received: it goes on behind it, whatever `from` says. */
  lastEventId?: string | undefined;
}

/**
 * A watch at the pace of whoever takes its events: the next page is asked for when the last one is told. A stream
 * over a port or a socket gathers with the one who reads slowly, however much that is; this one never holds
 * more than a page [V3]. Rejects with what the store refuses before the first event.
 */
export async function pullEvents<Event>(
  read: (from: unknown, waitMs: number) => Promise<LogPage<Event>>,
  { from, lastEventId }: Beginning,
  signal?: { readonly aborted: boolean },
): Promise<AsyncGenerator<PulledEvent<Event>>> {
  const first = await read(placeAfter(lastEventId) ?? from, 0);
  return (async function* () {
    let { events, next } = first;
    while (signal?.aborted !== true) {
      yield* events;
      ({ events, next } = await read(next, WAIT_MS));
    }
  })();
}

/** The place behind a received event; null where nothing was received: a browser then sends an empty one. */
export function placeAfter(lastEventId: string | undefined): string | null {
  if (lastEventId === undefined || lastEventId === '') return null;
  const place = readPlace(lastEventId);
  return place === null ? lastEventId : placeText(placeBehind(place));
}
