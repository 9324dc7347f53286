/**
 * The price of evaluating an expression [D8]. Expressions are evaluated on the thread that writes, for anyone who may set
 * an expiration, and on the one that reads, for anyone who may filter or preview, so each evaluation has an allowance.
 *
 *   step   about 30 ns of work
 *   bytes  memory made, as V8 holds it, whether or not it is kept
 *
 * Each function and operator pays for what it reads and makes before it does so. A price depends on the expression and
 * its input alone, never on a cache or a clock, so that every machine and every follower decides alike [V5].
 *
 * Time is a second bound, for machines that are slower than that: `withTimeLimit` ends a call. It never decides a deadline.
 */
export interface Allowance {
  readonly steps: number;
  readonly bytes: number;
}

/** Of a deadline and of a filter: at most some 60 ms of one document. */
export const READING_ALLOWANCE: Allowance = { steps: 2_000_000, bytes: 64 * 1024 * 1024 };
/** Of a replacement, which makes a whole document, of up to 16 MiB. */
export const REPLACEMENT_ALLOWANCE: Allowance = { steps: 10_000_000, bytes: 128 * 1024 * 1024 };

/** Of the literals of an expression, its patterns above all, which are prepared once. */
export const COMPILING_ALLOWANCE: Allowance = { steps: 10_000_000, bytes: 128 * 1024 * 1024 };

/** Characters that the machine goes over in a step, where it does so many at once. */
const CHARACTERS_A_STEP = 16;
const BYTES_A_CHARACTER = 2;
const BYTES_AN_ITEM = 8;
const BYTES_A_FIELD = 24;
/** Of any list, map or piece of text, beside what is in it. */
const BYTES_AN_OBJECT = 32;
/** V8 keeps maps of more fields as hash tables, which are slower. */
const MOST_FAST_FIELDS = 1_000;
const SLOWER = 5;

/** Steps between two looks at the clock: one or two milliseconds. */
const STEPS_A_LOOK = 50_000;

/** Not an EvaluationProblem: nothing that an expression does about a failing part goes on after this. */
export class TooCostly extends Error {
  constructor() {
    super(
      'The expression goes over too many items or characters of this document: it would stop everybody else. Make it do less.',
    );
    this.name = 'TooCostly';
  }
}

/** The call took too long. Says nothing about the document or the expression: the same evaluation may succeed elsewhere. */
export class OutOfTime extends Error {
  constructor() {
    super('Evaluating expressions took too long.');
    this.name = 'OutOfTime';
  }
}

let stepsLeft = 0;
let bytesLeft = 0;
/** Counts on from one evaluation to the next, or many short ones would never look. */
let stepsUntilLook = STEPS_A_LOOK;
let isOver: (() => boolean) | null = null;

/** Before each evaluation: they are made one at a time. */
export function beginEvaluation({ steps, bytes }: Allowance): void {
  stepsLeft = steps;
  bytesLeft = bytes;
}

/** What the last evaluation left of its allowance; negative where it asked for more. */
export function allowanceLeft(): Allowance {
  return { steps: stepsLeft, bytes: bytesLeft };
}

/**
 * Runs `work`, whose evaluations end with OutOfTime as soon as `isOverNow` says so: asked every few milliseconds of
 * evaluating, and never where there is little to evaluate. Work inside may have a limit of its own meanwhile.
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

/** Throws TooCostly when the evaluation has no steps left, OutOfTime when its call has no time left. */
export function spend(steps: number): void {
  stepsLeft -= steps;
  if (stepsLeft < 0) throw new TooCostly();
  stepsUntilLook -= steps;
  if (stepsUntilLook < 0) {
    stepsUntilLook = STEPS_A_LOOK;
    if (isOver?.() === true) throw new OutOfTime();
  }
}

/** Text that is read. */
export function spendCharacters(characters: number): void {
  spend(characters / CHARACTERS_A_STEP);
}

/** The names of a map's fields, looked through. */
export function spendKeys(fields: number): void {
  spend(fields <= MOST_FAST_FIELDS ? fields : 2 * SLOWER * fields);
}

/** Text that is made. */
export function makeText(characters: number): void {
  spendCharacters(characters);
  make(BYTES_AN_OBJECT + BYTES_A_CHARACTER * characters);
}

/** A list that is made. */
export function makeList(items: number): void {
  spend(1 + items);
  make(BYTES_AN_OBJECT + BYTES_AN_ITEM * items);
}

/** One more item of a list that grows, by half its length at a time. */
export function makeItem(): void {
  make(2 * BYTES_AN_ITEM);
}

/** A map that is made. */
export function makeMap(fields: number): void {
  spend(12 + 8 * (fields <= MOST_FAST_FIELDS ? fields : SLOWER * fields));
  make(BYTES_AN_OBJECT + BYTES_A_FIELD * fields);
}

/** Throws TooCostly when the evaluation may make no more. */
export function make(bytes: number): void {
  bytesLeft -= bytes;
  if (bytesLeft < 0) throw new TooCostly();
}
