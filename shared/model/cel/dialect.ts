import type { CelFunction } from './functions.ts';

/** The variables, by CEL type, and functions of one use of CEL, beside the common functions. */
export interface Dialect {
  variables: Readonly<Record<string, string>>;
  functions: Readonly<Record<string, CelFunction>>;
  /** Error messages for missing names, by name, if they say more than that the name is missing. */
  absent: Readonly<Record<string, string>>;
}
