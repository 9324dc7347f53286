import { withEventMeta } from '@orpc/server';
import type { ChangeEvent } from '../../../shared/contract/events.ts';
import type { ChangesPage, ChangesQuery } from '../backends/backend.ts';
import { nextChanges } from '../feeds/next-changes.ts';
import { toContractError } from '../protocol/contract-error.ts';
import type { EmbeddedEngine } from './context.ts';
import { embedded } from './procedure-guard.ts';
import { type EventStore, readEventFrames, readEvents, startOfEvents } from './reading/read-events.ts';

const EVENTS_A_PAGE = 500;

export const events = {
  watch: embedded.events.watch.handler(async ({ input, context: { engine }, signal, lastEventId }) => {
    const { collection } = input ?? {};
    const from = await startOfEvents(storeOf(engine), collection, lastEventId, input?.from);
    // Read before the stream begins, so that a refusal is an error of the call.
    const first = await engine.backend.reads.changes({ from, collection, limit: EVENTS_A_PAGE });
    return follow(engine, first, { from, collection, limit: EVENTS_A_PAGE }, signal);
  }),
  read: embedded.events.read.handler(({ input, context: { engine }, signal }) =>
    readEvents(storeOf(engine), input, signal),
  ),
  readFrames: embedded.events.readFrames.handler(({ input, context: { engine }, signal }) =>
    readEventFrames(storeOf(engine), input, signal),
  ),
};

function storeOf({ backend, clock }: EmbeddedEngine): EventStore {
  return {
    reads: backend.reads,
    clock,
    get revision() {
      return backend.revision;
    },
    checkCollection: name => void backend.indexDefinitions(name),
    hasCollection: name => backend.hasCollection(name),
    onCommit: listener => backend.onCommit(listener),
  };
}

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
