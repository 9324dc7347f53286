/** A flag in memory that threads share: set by one of them, never reset. */
export class SharedFlag {
  readonly shared: SharedArrayBuffer;
  readonly #value: Int32Array;

  constructor(shared = new SharedArrayBuffer(4)) {
    this.shared = shared;
    this.#value = new Int32Array(shared);
  }

  set(): void {
    Atomics.store(this.#value, 0, 1);
  }
  get isSet(): boolean {
    return Atomics.load(this.#value, 0) === 1;
  }
}

/**
 * State of the engine's clock for another thread [R10]: an even number while it follows the wall clock, an odd one while it
 * holds. Every change increases it.
 */
export class SharedClockState {
  readonly shared: SharedArrayBuffer;
  readonly #changes: Int32Array;

  constructor(shared = new SharedArrayBuffer(4)) {
    this.shared = shared;
    this.#changes = new Int32Array(shared);
  }

  /** Called at each start of following or holding, also if the clock was in that state before. */
  enter(state: 'following' | 'holding'): void {
    const isOdd = (this.changes & 1) === 1;
    Atomics.add(this.#changes, 0, isOdd === (state === 'holding') ? 2 : 1);
  }
  get changes(): number {
    return Atomics.load(this.#changes, 0);
  }
  get isHolding(): boolean {
    return (this.changes & 1) === 1;
  }
}
