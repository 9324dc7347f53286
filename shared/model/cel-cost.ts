/**
 * What one evaluation may cost. Expressions are evaluated on the thread that writes, by whoever may set an expiration, and
 * on the one that reads, by whoever may preview: none of them may stop the others. Counted in steps and not in time, so
 * that every follower of a store comes to the same end [V5]. A step is some 30 ns: the most is about a fifth of a second.
 */
const MOST_STEPS = 5_000_000;
/** Characters that the machine goes over in a step, where it does so many at once. */
const CHARACTERS_A_STEP = 16;

/** Not an EvaluationProblem: nothing that an expression does about a failing part goes on after this. */
export class TooCostly extends Error {
  constructor() {
    super(
      'The expression goes over too many items or characters of this document: it would stop everybody else. Make it do less.',
    );
    this.name = 'TooCostly';
  }
}

let left = MOST_STEPS;

/** Before each evaluation: they are made one at a time. */
export function beginEvaluation(): void {
  left = MOST_STEPS;
}

/** Throws TooCostly when the evaluation has no steps left. */
export function spend(steps: number): void {
  left -= steps;
  if (left < 0) throw new TooCostly();
}

export function spendCharacters(characters: number): void {
  spend(characters / CHARACTERS_A_STEP);
}
