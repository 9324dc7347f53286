import type { CollectionSummary } from '../../../shared/contract/collections.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { purgeDropped } from '../jobs/purge.ts';
import type { Engine } from './context.ts';
import { api, embedded } from './procedure-guard.ts';

export async function summaryOf({ backend, clock }: Engine, name: string): Promise<CollectionSummary> {
  const [summary] = await backend.reads.summaries([name], clock.now());
  if (summary === undefined) {
    throw new SandglassError('COLLECTION_NOT_FOUND', `There is no collection named ${name}.`, {
      collection: name,
    });
  }
  return summary;
}

export const collections = {
  list: api.collections.list.handler(({ context: { engine } }) =>
    engine.backend.reads.summaries(null, engine.clock.now()),
  ),
  create: embedded.collections.create.handler(({ input, context: { engine } }) => {
    engine.backend.createCollection(input.name);
    return summaryOf(engine, input.name);
  }),
  get: api.collections.get.handler(({ input, context: { engine } }) => summaryOf(engine, input.collection)),
  drop: embedded.collections.drop.handler(({ input, context: { engine, caller } }) => ({
    dropped: true as const,
    documents: engine.backend.dropCollection(input.collection, caller.user),
  })),
  dropped: embedded.collections.dropped.handler(({ context: { engine } }) => engine.backend.dropped.list()),
  restore: embedded.collections.restore.handler(({ input: { id, name }, context: { engine, caller } }) => {
    const restored = engine.backend.dropped.restore(id, { by: caller.user, name });
    // Builds that were running when it was dropped continue.
    engine.indexBuilds.startPending();
    return summaryOf(engine, restored);
  }),
  purge: embedded.collections.purge.handler(({ input: { id }, context: { engine, caller } }) =>
    purgeDropped(engine, id, caller.user),
  ),
};
