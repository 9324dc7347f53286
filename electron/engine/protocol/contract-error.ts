import { ORPCError } from '@orpc/server';
import { errorForCaller } from '../platform/defect.ts';
import type { Logger } from '../platform/logger.ts';

/** Returns the error for the caller; streams that fail later call this themselves. */
export function toContractError(
  error: unknown,
  path: readonly string[],
  log: Logger,
): ORPCError<string, unknown> {
  if (error instanceof ORPCError) return error;
  const { code, status, message, data } = errorForCaller(log, path.join('.'), error);
  return new ORPCError(code, { status, message, data });
}
