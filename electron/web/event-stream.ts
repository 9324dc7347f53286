import { withEventMeta } from '@orpc/server';
import { z } from 'zod';
import { pullEvents } from '../../shared/model/pulled-events.ts';
import type { EngineLink } from './running-engine.ts';

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
 * `events.watch` for HTTP, which takes events as fast as its reader does. Rejects with what the engine refuses
 * before the first event [V3].
 */
export async function pulledEvents(
  link: EngineLink,
  { input, lastEventId, signal }: WatchRequest,
): Promise<AsyncGenerator<object>> {
  const { from, ...rest } = query.parse(input ?? {});
  const options = { context: {}, ...(signal === undefined ? {} : { signal }) };
  const pulled = await pullEvents(
    async (place, waitMs) =>
      page.parse(await link.call(['events', 'read'], { ...rest, from: place, waitMs }, options)),
    { from, lastEventId },
    signal,
  );
  return (async function* () {
    for await (const { id, event } of pulled) yield withEventMeta(event, { id });
  })();
}
