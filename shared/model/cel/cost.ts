/**
 * Cost limit of evaluating an expression [D8]. Expressions are evaluated on the writing thread, for every caller who
 * may set an expiration, and on the reading thread, for every caller who may filter or preview. Each evaluation
 * therefore has an allowance.
 *
 *   step   about 30 ns of work
 *   bytes  memory allocated, as V8 represents it, whether or not it is kept
 *
 * Each function and operator is charged for its reads and allocations before they happen. A charge depends on the
 * expression and its input alone, never on a cache or a clock, so that every machine and every follower decides alike
 * [V5].
 *
 * Time is a second bound, for slower machines: `withTimeLimit` ends a call. It never decides a deadline.
 */
export interface Allowance {
  readonly steps: number;
  readonly bytes: number;
}

/** For a deadline or a filter: at most about 60 ms per document. */
export const READING_ALLOWANCE: Allowance = { steps: 2_000_000, bytes: 64 * 1024 * 1024 };
/** For a replacement, which creates a whole document of up to 16 MiB. */
export const REPLACEMENT_ALLOWANCE: Allowance = { steps: 10_000_000, bytes: 128 * 1024 * 1024 };

/** For the literals of an expression, mostly patterns, which are prepared once. */
export const COMPILING_ALLOWANCE: Allowance = { steps: 10_000_000, bytes: 128 * 1024 * 1024 };

/** Characters that are processed in one step, in operations on text. */
const CHARACTERS_A_STEP = 16;
const BYTES_A_CHARACTER = 2;
const BYTES_AN_ITEM = 8;
const BYTES_A_FIELD = 24;
/** Bytes of a list, map or string in addition to its content. */
const BYTES_AN_OBJECT = 32;
/** V8 keeps maps with more fields as hash tables, which are slower. */
const MOST_FAST_FIELDS = 1_000;
const SLOWER = 5;

/** Steps between two readings of the clock: one or two milliseconds. */
const STEPS_PER_TIME_CHECK = 50_000;

/** Not an EvaluationProblem, so that no part of an expression can handle it. */
export class TooCostly extends Error {
  constructor() {
    super('The expression processes too many items or characters of this document. Simplify it.');
    this.name = 'TooCostly';
  }
}

/**
 * The call took too long. It is not a result for the document or the expression: the same evaluation may succeed
 * elsewhere.
 */
export class OutOfTime extends Error {
  constructor() {
    super('Evaluating expressions took too long.');
    this.name = 'OutOfTime';
  }
}

let stepsLeft = 0;
let bytesLeft = 0;
/** Not reset for each evaluation: otherwise many short evaluations would never read the clock. */
let stepsUntilTimeCheck = STEPS_PER_TIME_CHECK;
let isOver: (() => boolean) | null = null;

/** Called before each evaluation; evaluations do not overlap. */
export function beginEvaluation({ steps, bytes }: Allowance): void {
  stepsLeft = steps;
  bytesLeft = bytes;
}

/**
 * Returns the unused part of the last evaluation's allowance, negative if it was exceeded. Used by tests that compare
 * cost with time. @internal
 */
export function allowanceLeft(): Allowance {
  return { steps: stepsLeft, bytes: bytesLeft };
}

/**
 * Runs `work`, whose evaluations throw OutOfTime as soon as `isOverNow` returns true. It is called every few
 * milliseconds of evaluation, and never if there is little to evaluate. Nested calls may set a limit of their own.
 */
export function withTimeLimit<Result>(isOverNow: () => boolean, work: () => Result): Result {
  const outer = isOver;
  isOver = isOverNow;
  try {
    return work();
  } finally {
    isOver = outer;
  }
}

/** Throws TooCostly if the evaluation has no steps left, OutOfTime if its call has no time left. */
export function spend(steps: number): void {
  stepsLeft -= steps;
  if (stepsLeft < 0) throw new TooCostly();
  stepsUntilTimeCheck -= steps;
  if (stepsUntilTimeCheck < 0) {
    stepsUntilTimeCheck = STEPS_PER_TIME_CHECK;
    if (isOver?.() === true) throw new OutOfTime();
  }
}

/** Charges text that is read. */
export function spendCharacters(characters: number): void {
  spend(characters / CHARACTERS_A_STEP);
}

/** Charges reading the field names of a map. */
export function spendKeys(fields: number): void {
  spend(fields <= MOST_FAST_FIELDS ? fields : 2 * SLOWER * fields);
}

/** Charges text that is created. */
export function makeText(characters: number): void {
  spendCharacters(characters);
  make(BYTES_AN_OBJECT + BYTES_A_CHARACTER * characters);
}

/** Charges a list that is created. */
export function makeList(items: number): void {
  spend(1 + items);
  make(BYTES_AN_OBJECT + BYTES_AN_ITEM * items);
}

/** Charges one more item of a list that grows by half its length at a time. */
export function makeItem(): void {
  make(2 * BYTES_AN_ITEM);
}

/** Charges a map that is created. */
export function makeMap(fields: number): void {
  spend(12 + 8 * (fields <= MOST_FAST_FIELDS ? fields : SLOWER * fields));
  make(BYTES_AN_OBJECT + BYTES_A_FIELD * fields);
}

/** Throws TooCostly if the evaluation may allocate no more. */
export function make(bytes: number): void {
  bytesLeft -= bytes;
  if (bytesLeft < 0) throw new TooCostly();
}
