import { implement, ORPCError } from '@orpc/server';
import type { Permission } from '../../../shared/contract/base.ts';
import { contract } from '../../../shared/contract/index.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { byCaller } from '../access/audit-log.ts';
import { checkPermission, mayDo } from '../access/caller.ts';
import { toldAs } from '../platform/defect.ts';
import type { Logger } from '../platform/logger.ts';
import { throughMirror } from '../replication/leader-status.ts';
import type { Context } from './context.ts';

/**
 * Where every handler starts: arguments are validated against the contract here, on the engine's side, and what the
 * engine throws reaches the caller as a typed error. Anything else is a defect: logged with its stack under an
 * id, and answered with that id alone.
 */
export const api = implement(contract)
  .$context<Context>()
  .use(async ({ next, context, path, procedure }) => {
    try {
      const { permission } = procedure['~orpc'].meta;
      const { following, log, readOnly } = context.engine;
      if (readOnly) refuseWrites(permission, path);
      admit(context, permission, path);
      const { suspended } = context.engine.backend.fileCare;
      if (suspended !== null && !runsWhileSuspended(permission, path)) await suspended;
      if (following === null) return await next();
      const told = (error: SandglassError) => toTyped(error, path, log);
      return await throughMirror({ following, path, needed: permission }, async () => await next(), told);
    } catch (error) {
      throw toTyped(error, path, context.engine.log);
    }
  });

/** Throws PERMISSION_DENIED, and tells the audit log of it. */
function admit({ caller, engine: { audit } }: Context, needed: Permission, path: readonly string[]): void {
  if (!mayDo(caller.permission, needed))
    audit.refused({ ...byCaller(caller), call: path.join('.'), needed, has: caller.permission });
  checkPermission(caller, needed, path);
}

/** What was thrown as its caller is told it; a stream that fails under way asks for itself. */
export function toTyped(error: unknown, path: readonly string[], log: Logger): ORPCError<string, unknown> {
  if (error instanceof ORPCError) return error;
  const { code, status, message, data } = toldAs(log, path.join('.'), error);
  return new ORPCError(code, { status, message, data });
}

/** Of the host and not of the store, or a look at what needs `configure` to be seen: these write nothing to a store. */
const WRITES_NOTHING = /^(connections\..+|tokens\.(list|get|whose|noteRefusal))$/;

/** While the file is compacted, whatever may write to it waits; the job itself is looked at and cancelled by these. */
function runsWhileSuspended(needed: Permission, path: readonly string[]): boolean {
  const call = path.join('.');
  return (
    (needed !== 'write' && needed !== 'configure') ||
    WRITES_NOTHING.test(call) ||
    /^(jobs\.cancel|store\.(compact|check))$/.test(call)
  );
}

/** Throws READ_ONLY for whatever would change the store of a read-only connection, whoever asks [P2]. */
function refuseWrites(needed: Permission, path: readonly string[]): void {
  const call = path.join('.');
  if (needed === 'read' || WRITES_NOTHING.test(call)) return;
  throw new SandglassError(
    'READ_ONLY',
    `This connection is read-only, and ${call} would change its store. Whoever may change connections can end that.`,
    { needed },
  );
}
