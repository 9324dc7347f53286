/** Runs at most once in `everyMs`, and not while held. The last request is always run. */
export class Throttle {
  readonly #run: () => void;
  readonly #everyMs: number;
  #ranAt = performance.now();
  #heldUntil = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: () => void, everyMs: number) {
    this.#run = run;
    this.#everyMs = everyMs;
  }

  request(): void {
    const now = performance.now();
    const due = Math.max(this.#ranAt + this.#everyMs, this.#heldUntil);
    this.#timer ??= setTimeout(() => this.#wake(), Math.max(0, due - now));
  }

  /** Postpones the next run by at least `ms`. */
  hold(ms: number): void {
    this.#heldUntil = performance.now() + ms;
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wake(): void {
    this.#timer = undefined;
    if (performance.now() < this.#heldUntil) {
      this.request();
      return;
    }
    this.#ranAt = performance.now();
    this.#run();
  }
}
