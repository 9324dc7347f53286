const SECONDS = 61;

/** Events per second over the last minute, one count per second. */
export class RateMeter {
  readonly #counts = new Array<number>(SECONDS).fill(0);
  #second = 0;
  #total = 0;

  add(events: number, now: number): void {
    this.#moveTo(now);
    const slot = this.#second % SECONDS;
    this.#counts[slot] = (this.#counts[slot] ?? 0) + events;
    this.#total += events;
  }

  /** Average over the last `seconds` whole seconds, without the current one. */
  perSecond(now: number, seconds = 10): number {
    const counts = this.series(now).slice(-seconds);
    return counts.reduce((sum, count) => sum + count, 0) / seconds;
  }

  /** Returns the counts of the last sixty whole seconds, oldest first. */
  series(now: number): number[] {
    this.#moveTo(now);
    return Array.from({ length: SECONDS - 1 }, (_, i) => this.#counts[(this.#second + 1 + i) % SECONDS] ?? 0);
  }

  get total(): number {
    return this.#total;
  }

  #moveTo(now: number): void {
    const second = Math.floor(now / 1000);
    const passed = Math.min(Math.max(0, second - this.#second), SECONDS);
    for (let i = 1; i <= passed; i++) this.#counts[(this.#second + i) % SECONDS] = 0;
    this.#second = Math.max(this.#second, second);
  }
}
