const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * The keys of a database that are mirrored: all, or one in 2, 4, 8 … above a number of keys. A key is chosen by its hash,
 * so that the same keys are chosen at each scan, and a notification of another key costs nothing.
 */
export class KeySample {
  #oneIn = 1;

  /** One key in so many is chosen; 1: all. */
  get oneIn(): number {
    return this.#oneIn;
  }

  /** Chooses at most about `most` of `total` keys. Returns whether the choice has changed. */
  choose(total: number, most: number): boolean {
    const before = this.#oneIn;
    this.#oneIn = 1;
    while (total / this.#oneIn > most) this.#oneIn *= 2;
    return this.#oneIn !== before;
  }

  has(key: Buffer): boolean {
    return this.#oneIn === 1 || hashOf(key) % this.#oneIn === 0;
  }
}

/** FNV-1a, with its high bits mixed into the low ones, by which keys are chosen. */
function hashOf(key: Buffer): number {
  let hash = FNV_OFFSET;
  for (const byte of key) hash = Math.imul(hash ^ byte, FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
