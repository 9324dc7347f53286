import { ORPCError } from '@orpc/client';
import { Declined } from './confirm-production-write.ts';

/** A failure, as shown to a person. */
export interface Problem {
  code: string;
  message: string;
  data: Readonly<Record<string, unknown>>;
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Returns the engine's message and code of an error, where it has them. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ORPCError)
    return { code: error.code, message: error.message, data: fields(error.data) };
  if (error instanceof Declined) return { code: 'DECLINED', message: error.message, data: {} };
  if (error instanceof Error) {
    const code = error.name === 'NotConnected' ? 'NOT_CONNECTED' : 'UNEXPECTED';
    return { code, message: error.message, data: {} };
  }
  return { code: 'UNEXPECTED', message: String(error), data: {} };
}
