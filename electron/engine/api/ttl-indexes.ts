import { readBackOf, scriptOf } from '../../../shared/model/index-statements/index-statements.ts';
import { api, embedded, remote } from './procedure-guard.ts';

export const ttlIndexes = {
  list: api.ttlIndexes.list.handler(({ input, context: { engine } }) =>
    engine.ttlIndexes.list(input.collection),
  ),
  get: api.ttlIndexes.get.handler(({ input, context: { engine } }) =>
    engine.ttlIndexes.get(input.collection, input.index),
  ),
  create: api.ttlIndexes.create.handler(({ input, context: { engine, caller } }) =>
    engine.ttlIndexes.create(input, caller.user),
  ),
  update: api.ttlIndexes.update.handler(({ input, context: { engine, caller } }) =>
    engine.ttlIndexes.update(input, caller.user),
  ),
  drop: api.ttlIndexes.drop.handler(async ({ input, context: { engine, caller } }) => {
    await engine.ttlIndexes.drop(input.collection, input.index, caller.user);
    return { dropped: true as const };
  }),
  preview: api.ttlIndexes.preview.handler(({ input, context: { engine, caller }, signal }) =>
    engine.scanSlots.preview.run(caller, signal, () => engine.ttlIndexes.preview(input, signal)),
  ),
  dropped: api.ttlIndexes.dropped.handler(({ input, context: { engine } }) =>
    engine.ttlIndexes.dropped(input.collection),
  ),
  history: api.ttlIndexes.history.handler(({ input, context: { engine } }) =>
    engine.ttlIndexes.history(input.collection, input.index),
  ),
  revert: api.ttlIndexes.revert.handler(({ input, context: { engine, caller } }) =>
    engine.ttlIndexes.revert(input, caller.user),
  ),
  definition: api.ttlIndexes.definition.handler(
    async ({ input: { collection, index }, context: { engine } }) => {
      const definition = await engine.ttlIndexes.definition(collection, index);
      const readBack = readBackOf(collection, definition);
      const statements = await engine.ttlIndexes.statements(collection, definition);
      if (statements === null) return readBack;
      return { ...readBack, cockroachdb: { statement: scriptOf(statements), reason: null } };
    },
  ),
  statements: remote.ttlIndexes.statements.handler(
    async ({ input: { collection, ...definition }, context: { engine } }) => ({
      statements: (await engine.ttlIndexes.statements(collection, definition)) ?? [],
    }),
  ),
  candidates: api.ttlIndexes.candidates.handler(({ input, context: { engine, caller }, signal }) =>
    engine.scanSlots.page.run(caller, signal, () => engine.ttlIndexes.candidates(input.collection, signal)),
  ),
  ensure: embedded.ttlIndexes.ensure.handler(
    ({
      input: {
        query: { collection },
        body: { name, fields, expireAfter },
      },
      context: { engine, caller },
    }) => {
      const source = { kind: 'field', field: fields[0] ?? '', unit: 'seconds', expireAfter } as const;
      return engine.ttlIndexes.ensure(collection, { name, source }, caller.user);
    },
  ),
};
