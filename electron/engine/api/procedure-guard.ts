import { implement } from '@orpc/server';
import type { Feature } from '../../../shared/contract/capabilities.ts';
import { missingBecause } from '../../../shared/contract/capabilities.ts';
import { contract } from '../../../shared/contract/index.ts';
import { type Permission, permits } from '../../../shared/contract/permissions.ts';
import type { ProcedureName } from '../../../shared/contract/procedure-facts.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { byCaller } from '../access/audit-log.ts';
import { checkPermission } from '../access/caller.ts';
import { toContractError } from '../protocol/contract-error.ts';
import { answerAsMirror } from '../replication/leader-status.ts';
import type { Context, EmbeddedEngine, Engine, RemoteEngine } from './context.ts';

/**
 * Base of every handler. Validates arguments against the contract on the engine's side, and returns errors of the
 * engine as typed errors. Any other error is a defect: its stack is logged under an id, and the answer contains only
 * that id.
 */
export const api = implement(contract)
  .$context<Context>()
  .use(async ({ next, context, path, procedure }) => {
    try {
      const { permission, writes, feature } = procedure['~orpc'].meta;
      const { engine } = context;
      const { log } = engine;
      if (engine.readOnly && writes) throw readOnlyConnection(permission, path);
      admit(context, permission, path);
      if (feature !== null) checkFeature(engine, feature, path);
      if (engine.kind === 'remote') return await next();
      const { leaderStatus } = engine;
      const { suspended } = engine.backend.fileCare;
      if (suspended !== null && writes && !RUN_WHILE_SUSPENDED.has(path.join('.'))) await suspended;
      if (leaderStatus === null) return await next();
      const encodeError = (error: SandglassError) => toContractError(error, path, log);
      return await answerAsMirror({ leaderStatus, path, writes }, async () => await next(), encodeError);
    } catch (error) {
      throw toContractError(error, path, context.engine.log);
    }
  });

/** Base of handlers that need Sandglass's own store. Throws NOT_SUPPORTED for another engine. */
export const embedded = api.use(({ next, context: { engine }, path, procedure }) => {
  if (engine.kind === 'embedded') return next({ context: { engine } satisfies { engine: EmbeddedEngine } });
  const { feature } = procedure['~orpc'].meta;
  throw toContractError(notSupported(path, feature, NO_SUCH_CALL), path, engine.log);
});

/** Base of handlers that need a remote store. Throws NOT_SUPPORTED for Sandglass's own. */
export const remote = api.use(({ next, context: { engine }, path, procedure }) => {
  if (engine.kind === 'remote') return next({ context: { engine } satisfies { engine: RemoteEngine } });
  const { feature } = procedure['~orpc'].meta;
  throw toContractError(notSupported(path, feature, NO_SUCH_CALL), path, engine.log);
});

const NO_SUCH_CALL = 'The engine of this connection has no such call.';

/** Throws NOT_SUPPORTED with the reason why the connection's engine lacks the feature. */
export function checkFeature({ backend }: Engine, feature: Feature, path: readonly string[]): void {
  const reason = missingBecause(backend.capabilities, feature);
  if (reason !== null) throw notSupported(path, feature, reason);
}

function notSupported(path: readonly string[], feature: Feature | null, reason: string): SandglassError {
  return new SandglassError(
    'NOT_SUPPORTED',
    `${path.join('.')} is not available on this connection. ${reason}`,
    {
      feature,
      reason,
    },
  );
}

/** Throws PERMISSION_DENIED, and records it in the audit log. */
function admit({ caller, engine: { audit } }: Context, needed: Permission, path: readonly string[]): void {
  if (!permits(caller.permission, needed))
    audit.refused({ ...byCaller(caller), call: path.join('.'), needed, has: caller.permission });
  checkPermission(caller, needed, path);
}

/** Writing calls that are permitted while the file is compacted: those of the job itself, and those of followers. */
const RUN_WHILE_SUSPENDED: ReadonlySet<string> = new Set<ProcedureName>([
  'jobs.cancel',
  'store.compact',
  'store.check',
  'replication.register',
  'replication.snapshot',
  'replication.log',
]);

/** Error of a call that writes on a read-only connection [P2]. */
function readOnlyConnection(needed: Permission, path: readonly string[]): SandglassError {
  return new SandglassError(
    'READ_ONLY',
    `This connection is read-only, and ${path.join('.')} would change its store. A caller who may change connections can end read-only mode.`,
    { needed },
  );
}
