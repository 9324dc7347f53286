import { withEventMeta } from '@orpc/server';
import { z } from 'zod';
import { placeBehind, placeText, readPlace } from '../../shared/model/log-place.ts';
import type { EngineLink } from './running-engine.ts';

const EVENTS_A_PAGE = 500;
/** How long one question to the engine waits for something to happen before it is asked again. */
const WAIT_MS = 25_000;

const query = z.looseObject({ from: z.unknown().optional() });
const page = z.object({
  events: z.array(z.object({ id: z.string(), event: z.looseObject({ kind: z.string() }) })),
  next: z.string(),
});

export interface WatchRequest {
  input: unknown;
  lastEventId: string | undefined;
  signal: AbortSignal | undefined;
}

/**
 * `events.watch` for HTTP: pages are asked of the engine as the reader takes them, since a stream over a port would
 * gather in this process for one that reads slowly, however much that is. Rejects with what the engine refuses
 * before the first event [V3].
 */
export async function pulledEvents(
  link: EngineLink,
  { input, lastEventId, signal }: WatchRequest,
): Promise<AsyncGenerator<object>> {
  const { from, ...rest } = query.parse(input ?? {});
  const read = async (place: unknown, waitMs: number) =>
    page.parse(
      await link.call(
        ['events', 'read'],
        { ...rest, from: place, limit: EVENTS_A_PAGE, waitMs },
        { context: {}, ...(signal === undefined ? {} : { signal }) },
      ),
    );
  const first = await read(isGiven(lastEventId) ? behind(lastEventId) : from, 0);
  return (async function* () {
    let { events, next } = first;
    while (signal?.aborted !== true) {
      for (const { id, event } of events) yield withEventMeta(event, { id });
      ({ events, next } = await read(next, WAIT_MS));
    }
  })();
}

/** A browser that received nothing sends it empty. */
function isGiven(lastEventId: string | undefined): lastEventId is string {
  return lastEventId !== undefined && lastEventId !== '';
}

/** Where to go on; what is no id is left for the engine to refuse. */
function behind(lastEventId: string): string {
  const place = readPlace(lastEventId);
  return place === null ? lastEventId : placeText(placeBehind(place));
}
