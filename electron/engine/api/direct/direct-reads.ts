import { implement } from '@orpc/server';
import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import { documents } from '../../../../shared/contract/documents.ts';
import { events } from '../../../../shared/contract/events.ts';
import { type Caller, checkPermission } from '../../access/caller.ts';
import type { Logger } from '../../platform/logger.ts';
import { toContractError } from '../../protocol/contract-error.ts';
import { type EventStore, readEventFrames, readEvents } from '../reading/read-events.ts';

/** The reads by which the reader thread answers calls. */
export interface ReaderContext {
  readonly store: EventStore & {
    document(
      query: { collection: string; id: string; includeExpired: boolean },
      now: number,
    ): Promise<DocumentRecord>;
  };
  /** The trusted time when the call arrived, epoch ms [R10]. */
  readonly now: number;
  readonly caller: Caller;
  readonly log: Logger;
}

const direct = implement({
  documents: { get: documents.get },
  events: { read: events.read, readFrames: events.readFrames },
})
  .$context<ReaderContext>()
  .use(async ({ next, context: { caller, log }, path, procedure }) => {
    try {
      checkPermission(caller, procedure['~orpc'].meta.permission, path);
      return await next();
    } catch (error) {
      throw toContractError(error, path, log);
    }
  });

/**
 * The calls that the reader thread answers without the engine's thread (`protocol/direct-calls.ts`): the same answers as
 * those of `router.ts`.
 */
export const directReads = direct.router({
  documents: {
    get: direct.documents.get.handler(
      ({ input: { collection, id, includeExpired }, context: { store, now } }) =>
        store.document({ collection, id, includeExpired }, now),
    ),
  },
  events: {
    read: direct.events.read.handler(({ input, context: { store }, signal }) =>
      readEvents(store, input, signal),
    ),
    readFrames: direct.events.readFrames.handler(({ input, context: { store }, signal }) =>
      readEventFrames(store, input, signal),
    ),
  },
});
