import type { Random } from '../../support/random.ts';

/** A disk writes a sector whole, or not at all. */
const SECTOR_BYTES = 512;

/** A change of a file's bytes. */
export type ByteChange =
  | { readonly kind: 'write'; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly size: number };

/** The bytes of one file, which changes are applied to. Unwritten bytes are zeros. */
export class FileBytes {
  #bytes: Buffer;
  #size: number;

  constructor(bytes: Buffer = Buffer.alloc(0)) {
    this.#bytes = Buffer.from(bytes);
    this.#size = bytes.length;
  }

  get size(): number {
    return this.#size;
  }

  copy(): FileBytes {
    return new FileBytes(this.content);
  }

  /** Valid until the next change. */
  get content(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  apply(change: ByteChange): void {
    if (change.kind === 'truncate') this.resize(change.size);
    else this.#write(change.at, change.bytes);
  }

  /** Writes some of the sectors of a change. A truncation has none: it happens, or does not. */
  applyTorn(change: ByteChange, random: Random): void {
    if (change.kind === 'truncate') {
      if (random.chance(0.5)) this.resize(change.size);
      return;
    }
    const { at, bytes } = change;
    for (let from = at; from < at + bytes.length; ) {
      const end = Math.min(at + bytes.length, (Math.floor(from / SECTOR_BYTES) + 1) * SECTOR_BYTES);
      if (random.chance(0.5)) this.#write(from, bytes.subarray(from - at, end - at));
      from = end;
    }
  }

  resize(size: number): void {
    if (size > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(size, this.#bytes.length * 2));
      this.content.copy(larger);
      this.#bytes = larger;
    } else if (size < this.#size) this.#bytes.fill(0, size, this.#size);
    this.#size = size;
  }

  #write(at: number, bytes: Buffer): void {
    if (at + bytes.length > this.#size) this.resize(at + bytes.length);
    bytes.copy(this.#bytes, at);
  }
}
