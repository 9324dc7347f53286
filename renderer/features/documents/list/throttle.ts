/** Runs a function at most once in `everyMs`. The last request is always run. */
export class Throttle {
  readonly #run: () => void;
  readonly #everyMs: number;
  #ranAt = performance.now();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: () => void, everyMs: number) {
    this.#run = run;
    this.#everyMs = everyMs;
  }

  request(): void {
    const due = this.#ranAt + this.#everyMs;
    this.#timer ??= setTimeout(() => this.#wake(), Math.max(0, due - performance.now()));
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wake(): void {
    this.#timer = undefined;
    this.#ranAt = performance.now();
    this.#run();
  }
}
