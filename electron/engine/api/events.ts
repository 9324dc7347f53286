import { withEventMeta } from '@orpc/server';
import type { ChangeEvent } from '../../../shared/contract/events.ts';
import {
  formatLogPosition,
  type LogPosition,
  nextLogPosition,
  parseLogPosition,
} from '../../../shared/model/change-log/log-position.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import type { ChangesPage, ChangesQuery } from '../backends/backend.ts';
import { nextChanges } from '../feeds/next-changes.ts';
import type { EmbeddedEngine } from './context.ts';
import { embedded, toContractError } from './procedure-guard.ts';

const EVENTS_A_PAGE = 500;

export const events = {
  watch: embedded.events.watch.handler(async ({ input, context: { engine }, signal, lastEventId }) => {
    const { collection } = input ?? {};
    const from = await beginning(engine, collection, lastEventId, input?.from);
    // Read before the stream begins, so that a refusal is an error of the call.
    const first = await engine.backend.reads.changes({ from, collection, limit: EVENTS_A_PAGE });
    return follow(engine, first, { from, collection, limit: EVENTS_A_PAGE }, signal);
  }),
  read: embedded.events.read.handler(async ({ input, context: { engine }, signal }) => {
    const { collection, limit, waitMs } = input;
    const from = await beginning(engine, collection, undefined, input.from);
    const page = await nextChanges(engine, { from, collection, limit }, { waitMs, signal });
    return { events: page.events, next: formatLogPosition(page.next), revision: engine.backend.revision };
  }),
};

/** Yields every event from the first page on. The position in the log is its only state [V3]. */
async function* follow(
  engine: EmbeddedEngine,
  first: ChangesPage,
  query: ChangesQuery,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChangeEvent> {
  let page = first;
  while (signal?.aborted !== true) {
    for (const { id, event } of page.events) yield withEventMeta({ ...event }, { id });
    try {
      page = await nextChanges(engine, { ...query, from: page.next }, { waitMs: null, signal });
    } catch (error) {
      throw toContractError(error, ['events', 'watch'], engine.log);
    }
  }
}

/**
 * Start position of a watch. Throws BAD_REQUEST, and COLLECTION_NOT_FOUND for a name that the log does not contain.
 */
async function beginning(
  { backend }: EmbeddedEngine,
  collection: string | undefined,
  lastEventId: string | undefined,
  from: string | undefined,
): Promise<LogPosition> {
  const isKnown = collection === undefined || backend.hasCollection(collection);
  // An unknown name is an error, not an endless stream; the events of a dropped collection are streamed to its end.
  if (!isKnown && !(await backend.reads.isInLog(collection))) backend.indexDefinitions(collection);
  if (lastEventId !== undefined && lastEventId !== '') {
    // The event was received: the watch continues after it.
    return nextLogPosition(placeOf(lastEventId));
  }
  return from === undefined ? { revision: backend.revision + 1, position: 0 } : placeOf(from);
}

/** Throws BAD_REQUEST for an invalid position. */
function placeOf(text: string): LogPosition {
  const place = parseLogPosition(text);
  if (place !== null) return place;
  throw new SandglassError(
    'BAD_REQUEST',
    `${text} is not a position in the log: use revision or revision.position.`,
    { from: text },
  );
}
