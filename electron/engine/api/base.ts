import { implement, ORPCError } from '@orpc/server';
import type { Permission } from '../../../shared/contract/base.ts';
import { contract } from '../../../shared/contract/index.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { mayDo } from '../platform/caller.ts';
import { errorFields, type Logger } from '../platform/logger.ts';
import type { Caller, Context } from './context.ts';
import { throughMirror } from './following.ts';

/**
 * Where every handler starts: arguments are validated against the contract here, on the engine's side, and what the
 * engine throws reaches the caller as a typed error. Anything else is a defect: logged with its stack, and answered
 * without inner details.
 */
export const api = implement(contract)
  .$context<Context>()
  .use(async ({ next, context, path, procedure }) => {
    try {
      const { permission } = procedure['~orpc'].meta;
      checkPermission(context.caller, permission, path);
      const { following, log } = context.engine;
      if (following === null) return await next();
      const told = (error: SandglassError) => toTyped(error, path, log);
      return await throughMirror({ following, path, needed: permission }, async () => await next(), told);
    } catch (error) {
      throw toTyped(error, path, context.engine.log);
    }
  });

/** What was thrown as its caller is told it; a stream that fails under way asks for itself. */
export function toTyped(error: unknown, path: readonly string[], log: Logger): ORPCError<string, unknown> {
  if (error instanceof ORPCError) return error;
  if (error instanceof SandglassError) {
    return new ORPCError(error.code, { status: error.status, message: error.message, data: error.data });
  }
  log.error(`${path.join('.')} failed`, errorFields(error));
  return new ORPCError('INTERNAL_SERVER_ERROR', {
    message: `${path.join('.')} failed for a reason that is a defect of Sandglass; its log says more.`,
  });
}

/**
 * Before arguments are looked at: who may not ask learns nothing from how they are refused [P1].
 * Throws PERMISSION_DENIED, naming what is lacked and what is needed.
 */
export function checkPermission(
  { user, permission }: Caller,
  needed: Permission,
  path: readonly string[],
): void {
  if (mayDo(permission, needed)) return;
  throw new SandglassError(
    'PERMISSION_DENIED',
    `${path.join('.')} needs the permission ${needed}, and ${user} has ${permission}. Ask whoever may configure this store for a token with ${needed}.`,
    { needed, has: permission, user },
  );
}
