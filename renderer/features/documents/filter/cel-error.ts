import type { Problem } from '../../../api.ts';

/** Position and message of an error in a CEL condition. */
export interface CelError {
  expression: string;
  /** 1-based. */
  column: number;
  message: string;
}

/** Returns null for other errors. */
export function readCelError({ code, message, data }: Problem): CelError | null {
  if (code !== 'INVALID_FILTER') return null;
  const { expression, column } = data;
  if (typeof expression !== 'string' || typeof column !== 'number') return null;
  return { expression, column, message };
}
