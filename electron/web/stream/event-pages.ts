import { z } from 'zod';
import { stringifyJson } from '../../../shared/model/json/json.ts';
import type { EngineLink } from '../engine/running-engine.ts';

const answer = z.object({ frames: z.string(), next: z.string() });

/** A page of the change log as server-sent events; empty if no event occurred in `waitMs`. */
export interface EventPage {
  bytes: Buffer;
  next: string;
}

/** Pages cached per engine: readers at most this many pages apart share them. */
const MOST_CACHED_PAGES = 32;

/** Reads a page of the log from a position, by default from now on. Rejects with the errors of the engine [V3]. */
export type ReadPage = (from: string | undefined, waitMs: number) => Promise<EventPage>;

/**
 * Caches pages of the change log, read and encoded once for all readers of the same events with the same token: a
 * hundred of them cost one read, and one write each. Pages are immutable. Not shared between tokens, since a revoked
 * token ends its own streams only [P1].
 */
export class EventPages {
  readonly #pages = new WeakMap<object, Map<string, Promise<EventPage>>>();

  /**
   * Pages are shared by readers with the same `engine`, `token` and `collection`; `link` has the token's permission.
   */
  reader(
    engine: object,
    token: string | undefined,
    link: EngineLink,
    collection: string | undefined,
  ): ReadPage {
    const pages = this.#pages.get(engine) ?? new Map<string, Promise<EventPage>>();
    this.#pages.set(engine, pages);
    const query = collection === undefined ? {} : { collection };
    return (from, waitMs) => {
      // “From now on” is a different position each time.
      if (from === undefined) return readPage(link, { ...query, waitMs });
      const key = stringifyJson([token ?? null, collection ?? null, from, waitMs]);
      const cached = pages.get(key);
      if (cached !== undefined) return cached;
      const reading = readPage(link, { ...query, from, waitMs });
      pages.set(key, reading);
      for (const oldest of [...pages.keys()].slice(0, -MOST_CACHED_PAGES)) pages.delete(oldest);
      reading.then(
        ({ bytes }) => {
          // The result is not shared: an event may occur before the next read.
          if (bytes.length === 0) pages.delete(key);
        },
        () => pages.delete(key),
      );
      return reading;
    };
  }
}

async function readPage(link: EngineLink, input: object): Promise<EventPage> {
  const { frames, next } = answer.parse(await link.call(['events', 'readFrames'], input, { context: {} }));
  return { bytes: Buffer.from(frames), next };
}
