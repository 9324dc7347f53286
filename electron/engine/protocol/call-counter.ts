/**
 * Counts calls that are on their way to a thread. A busy thread cannot read its message queue, so the sender counts in
 * shared memory and a running batch reads it [R5].
 */
export class CallCounter {
  readonly #count: Int32Array;
  #arrivals = 0;

  constructor(shared = new SharedArrayBuffer(4)) {
    this.#count = new Int32Array(shared);
  }

  /** Memory to pass to the other thread. */
  get shared(): SharedArrayBuffer {
    // Created from a SharedArrayBuffer in the constructor; the field's type allows both.
    return this.#count.buffer as SharedArrayBuffer;
  }
  sent(): void {
    Atomics.add(this.#count, 0, 1);
  }
  arrived(): void {
    Atomics.sub(this.#count, 0, 1);
    this.#arrivals += 1;
  }
  /** Calls that have arrived at this thread so far. */
  get arrivals(): number {
    return this.#arrivals;
  }
  get waiting(): number {
    return Math.max(0, Atomics.load(this.#count, 0));
  }
}
