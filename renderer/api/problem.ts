import { ORPCError } from '@orpc/client';
import { Declined } from './production.ts';

/** Any failure, as a person is told of it. */
export interface Problem {
  code: string;
  message: string;
  data: Readonly<Record<string, unknown>>;
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** What to show of an error: the engine's own words and code where it gave some. */
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
