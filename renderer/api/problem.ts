import { ORPCError } from '@orpc/client';
import { Declined } from './confirm-production-write.ts';
import { translatedError } from './translated-error.ts';

/** A failure, as shown to a person. */
export interface Problem {
  code: string;
  message: string;
  data: Readonly<Record<string, unknown>>;
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/**
 * Returns the code and the message of an error. The message is in the language of the window where the code and its data
 * suffice for it, otherwise the engine's, in English.
 */
export function problemOf(error: unknown): Problem {
  if (error instanceof ORPCError) {
    const data = fields(error.data);
    return { code: error.code, message: translatedError(error.code, data) ?? error.message, data };
  }
  if (error instanceof Declined) return { code: 'DECLINED', message: error.message, data: {} };
  if (error instanceof Error) {
    const code = error.name === 'NotConnected' ? 'NOT_CONNECTED' : 'UNEXPECTED';
    return { code, message: error.message, data: {} };
  }
  return { code: 'UNEXPECTED', message: String(error), data: {} };
}
