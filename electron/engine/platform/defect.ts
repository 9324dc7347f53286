import { randomBytes } from 'node:crypto';
import { SandglassError } from '../../../shared/model/errors.ts';
import { errorFields, type Logger } from './logger.ts';

/**
 * Logs an unexpected error with its stack under a new id, and returns the error for the caller: the id, without
 * internals. `what` names the call or the work that failed.
 */
export function defect(log: Logger, what: string, error: unknown): SandglassError {
  const errorId = randomBytes(6).toString('hex');
  log.error(`${what} failed`, { errorId, ...errorFields(error) });
  return new SandglassError(
    'INTERNAL_SERVER_ERROR',
    `${what} failed because of a defect in Sandglass. The details are in its log, under ${errorId}.`,
    { errorId },
  );
}

/** Returns the error for the caller: an expected error unchanged, otherwise a defect, which is logged. */
export function errorForCaller(log: Logger, what: string, error: unknown): SandglassError {
  return error instanceof SandglassError ? error : defect(log, what, error);
}
