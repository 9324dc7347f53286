import type { RemoteStore } from '../../../shared/contract/capabilities.ts';
import type { Policy, PolicyDiff } from '../../../shared/contract/policy.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { byCaller } from '../access/audit-log.ts';
import { applyDifferences } from '../policy/apply-policy.ts';
import { comparePolicy, dueByApplying } from '../policy/policy-comparison.ts';
import type { PolicyIndexes, PolicyStore } from '../policy/policy-store.ts';
import { presentPolicy } from '../policy/present-policy.ts';
import type { Caller, Engine } from './context.ts';
import { checkEffect, effectOf } from './effects.ts';
import { governanceOf } from './governance.ts';
import { api } from './procedure-guard.ts';

/** Most differences in an answer. */
const MOST_LISTED = 1_000;

/** Expected expiration as a document: exported, compared with the store, and applied to it. */
export const policy = {
  export: api.policy.export.handler(({ context: { engine } }) => presentPolicy(storeOf(engine))),
  expected: api.policy.expected.handler(({ context: { engine } }) => engine.expectedPolicy.current),
  expect: api.policy.expect.handler(({ input, context: { engine, caller } }) => {
    keep(engine, caller, input.policy);
    return engine.expectedPolicy.current;
  }),
  diff: api.policy.diff.handler(
    async ({ input, context: { engine, caller }, signal }): Promise<PolicyDiff> => {
      const wanted = policyOf(engine, input.policy);
      const differences = await engine.scanSlots.preview.run(caller, signal, () =>
        comparePolicy(storeOf(engine), wanted, input.count ? { signal } : null),
      );
      return {
        at: engine.clock.now(),
        drift: differences.slice(0, MOST_LISTED).map(({ drift }) => drift),
        driftCount: differences.length,
        incomplete: engine.kind === 'remote' ? incompleteBecause(engine.backend.remote) : null,
        effect: input.count ? await effectOf(engine, dueByApplying(differences)) : null,
      };
    },
  ),
  apply: api.policy.apply.handler(async ({ input, context: { engine, caller }, signal }) => {
    const wanted = policyOf(engine, input.policy);
    const store = storeOf(engine);
    const differences = await engine.scanSlots.preview.run(caller, signal, () =>
      comparePolicy(store, wanted, { signal }),
    );
    if (differences.some(({ change }) => change !== null && change.do !== 'create collection'))
      await store.indexes?.requireSchema();
    checkEffect(await effectOf(engine, dueByApplying(differences)), input.expect);
    keep(engine, caller, wanted);
    return applyDifferences(store, differences, caller.user).started;
  }),
};

function storeOf(engine: Engine): PolicyStore {
  return {
    backend: engine.backend,
    indexes: engine.backend.capabilities.indexChoices === null ? null : indexesOf(engine),
    undo: engine.kind === 'remote' ? engine.backend.undo : null,
    createCollection: name => {
      if (engine.kind === 'embedded') engine.backend.createCollection(name);
    },
    expected: engine.expectedPolicy.current,
    bulkChanges: engine.bulkChanges,
    jobs: engine.jobs,
    clock: engine.clock,
    log: engine.log,
    yieldToCalls: () => engine.yieldToCalls(),
  };
}

function indexesOf(engine: Engine): PolicyIndexes {
  const { ttlIndexes } = engine;
  return {
    async requireSchema() {
      if (engine.kind === 'remote') await governanceOf(engine.backend).schemaControl?.requireSchema();
    },
    async definitions(collection) {
      if (engine.kind === 'remote') return ttlIndexes.list(collection);
      const { backend } = engine;
      return backend
        .indexDefinitions(collection)
        .map(({ name }) => backend.intendedDefinition(collection, name));
    },
    list: collection => ttlIndexes.list(collection),
    preview: (query, signal) => ttlIndexes.preview(query, signal),
    create: (collection, definition, { by, expect }) =>
      ttlIndexes.create({ ...definition, collection, expect }, by),
    change: (collection, { name, ...definition }, { by, expect }) => {
      const limits = { ...NO_LIMITS, ...definition.limits };
      return ttlIndexes.update({ ...definition, limits, collection, index: name, expect }, by);
    },
    drop: (collection, index, by) => ttlIndexes.drop(collection, index, by),
  };
}

/** Resets the limits that a policy leaves out. */
const NO_LIMITS = { removalsPerSecond: null, batchMs: null, batchSize: null };

/** Returns the policy that a call gives, or else the expected one. Throws BAD_REQUEST if there is neither. */
function policyOf({ expectedPolicy }: Engine, given: Policy | undefined): Policy {
  const found = given ?? expectedPolicy.current?.policy;
  if (found !== undefined) return found;
  throw new SandglassError('BAD_REQUEST', 'This connection has no expected policy: give `policy`.');
}

/** Returns why the figures of a remote store may lack changes; null: they are those of its last scan, or later. */
function incompleteBecause({ unreachable, mirror }: RemoteStore): string | null {
  if (unreachable !== null) return `The server cannot be reached: ${unreachable.reason}`;
  switch (mirror?.is) {
    case 'scanning':
      return 'The deadlines of all keys are being read.';
    case 'stale':
      return `Figures may be out of date: ${mirror.reason}`;
    case 'paused':
      return 'Reading is paused, so later changes are missing.';
    default:
      return null;
  }
}

function keep({ expectedPolicy, clock, audit, feed }: Engine, caller: Caller, wanted: Policy | null): void {
  expectedPolicy.keep(wanted === null ? null : { policy: wanted, by: caller.user, since: clock.now() });
  audit.done({ what: wanted === null ? 'policy removed' : 'policy kept', ...byCaller(caller) });
  feed.touched();
}
