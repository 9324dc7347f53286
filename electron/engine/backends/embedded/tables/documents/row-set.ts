/** Rows of one chunk: 8 KiB hold them. */
const CHUNK = 65_536;

interface Chunk {
  readonly bits: Uint32Array;
  size: number;
}

/** A set of row numbers, one bit each: a million adjacent rows take about 125 kB. */
export class RowSet {
  readonly #chunks = new Map<number, Chunk>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(row: number): boolean {
    const chunk = this.#chunks.get(Math.floor(row / CHUNK));
    return chunk !== undefined && isSet(chunk, row % CHUNK);
  }

  add(row: number): void {
    const number = Math.floor(row / CHUNK);
    let chunk = this.#chunks.get(number);
    if (chunk === undefined) {
      chunk = { bits: new Uint32Array(CHUNK / 32), size: 0 };
      this.#chunks.set(number, chunk);
    }
    const place = row % CHUNK;
    if (isSet(chunk, place)) return;
    chunk.bits[place >>> 5] = (chunk.bits[place >>> 5] ?? 0) | (1 << (place & 31));
    chunk.size += 1;
    this.#size += 1;
  }

  delete(row: number): void {
    const number = Math.floor(row / CHUNK);
    const chunk = this.#chunks.get(number);
    const place = row % CHUNK;
    if (chunk === undefined || !isSet(chunk, place)) return;
    chunk.bits[place >>> 5] = (chunk.bits[place >>> 5] ?? 0) & ~(1 << (place & 31));
    chunk.size -= 1;
    this.#size -= 1;
    if (chunk.size === 0) this.#chunks.delete(number);
  }

  clear(): void {
    this.#chunks.clear();
    this.#size = 0;
  }

  /** The highest row; 0 if the set is empty. */
  get last(): number {
    if (this.#size === 0) return 0;
    const number = Math.max(...this.#chunks.keys());
    const chunk = this.#chunks.get(number);
    let place = CHUNK - 1;
    while (chunk !== undefined && place > 0 && !isSet(chunk, place)) place -= 1;
    return number * CHUNK + place;
  }

  /** Returns a copy that does not change with the set. */
  copy(): RowSet {
    const copy = new RowSet();
    for (const [number, { bits, size }] of this.#chunks)
      copy.#chunks.set(number, { bits: bits.slice(), size });
    copy.#size = this.#size;
    return copy;
  }

  /** Runs of consecutive rows in ascending order, each of at most `most` rows. */
  *runs(most: number): Generator<[first: number, last: number]> {
    for (const number of [...this.#chunks.keys()].sort((a, b) => a - b)) {
      const chunk = this.#chunks.get(number);
      if (chunk === undefined) continue;
      const { bits } = chunk;
      let first = -1;
      for (let place = 0; place < CHUNK; place += 1) {
        if (first < 0 && (place & 31) === 0 && bits[place >>> 5] === 0) {
          place += 31;
          continue;
        }
        const isIn = isSet(chunk, place);
        if (isIn && first < 0) first = place;
        const isLast = place === CHUNK - 1 || place - first + 1 === most;
        if (first >= 0 && (!isIn || isLast)) {
          yield [number * CHUNK + first, number * CHUNK + (isIn ? place : place - 1)];
          first = -1;
        }
      }
    }
  }
}

function isSet({ bits }: Chunk, place: number): boolean {
  return ((bits[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0;
}
