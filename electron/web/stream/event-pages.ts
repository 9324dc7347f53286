import { z } from 'zod';
import { stringifyJson } from '../../../shared/model/json/json.ts';
import type { EngineLink } from '../engine/running-engine.ts';

const answer = z.object({
  events: z.array(z.object({ id: z.string(), event: z.looseObject({ kind: z.string() }) })),
  next: z.string(),
});

/** A page of the change log as server-sent events; empty where nothing came in time. */
export interface EventPage {
  bytes: Buffer;
  next: string;
}

/** Readers that are so many pages apart still share them. */
const PAGES_KEPT = 32;

/** A page of the log from a place on; without one, from now on. Rejects with what the engine refuses [V3]. */
export type ReadPage = (from: string | undefined, waitMs: number) => Promise<EventPage>;

/**
 * Pages of the change log, each asked of the engine and encoded once for all readers that follow the same events with
 * the same token: a hundred of them cost one reading, and a write each. A page is never other than it was, so one that
 * is kept stays true. Readers of another token ask for themselves: one that is revoked ends its own streams [P1].
 */
export class EventPages {
  readonly #pages = new WeakMap<object, Map<string, Promise<EventPage>>>();

  /** `engine` and `token` say who shares; `link` speaks for them. */
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
      // From now on is another place at each time.
      if (from === undefined) return ask(link, { ...query, waitMs });
      const key = stringifyJson([token ?? null, collection ?? null, from, waitMs]);
      const known = pages.get(key);
      if (known !== undefined) return known;
      const asked = ask(link, { ...query, from, waitMs });
      pages.set(key, asked);
      for (const oldest of [...pages.keys()].slice(0, -PAGES_KEPT)) pages.delete(oldest);
      asked.then(
        ({ bytes }) => {
          // Something may be there the next time.
          if (bytes.length === 0) pages.delete(key);
        },
        () => pages.delete(key),
      );
      return asked;
    };
  }
}

async function ask(link: EngineLink, input: object): Promise<EventPage> {
  const { events, next } = answer.parse(await link.call(['events', 'read'], input, { context: {} }));
  const text = events.map(({ id, event }) => `event: message\nid: ${id}\ndata: ${stringifyJson(event)}\n\n`);
  return { bytes: Buffer.from(text.join('')), next };
}
