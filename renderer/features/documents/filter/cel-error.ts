import type { Problem } from '../../../api.ts';

/** Where a CEL condition is wrong, and why. */
export interface CelMistake {
  expression: string;
  /** From 1. */
  column: number;
  message: string;
}

/** Null where the failure is about something else. */
export function celMistake({ code, message, data }: Problem): CelMistake | null {
  if (code !== 'INVALID_FILTER') return null;
  const { expression, column } = data;
  if (typeof expression !== 'string' || typeof column !== 'number') return null;
  return { expression, column, message };
}
