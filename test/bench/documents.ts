import { v7 } from 'uuid';

/** What every system is given: about 200 bytes of JSON, the same for the same seed. */
export interface BenchDocument {
  readonly _id?: string;
  /** Its deadline, before a TTL is added: epoch ms. */
  readonly e: number;
  readonly user: number;
  readonly path: string;
  readonly agent: string;
  readonly note: string;
}

/** `v4`: random, each lands anywhere. `v7`: made by whoever stores it, in order of time. */
export type Keys = 'v4' | 'v7';
/** `random`: anywhere in the span. `insertion`: later documents fall due later. */
export type Order = 'random' | 'insertion';

export interface Load {
  documents: number;
  keys: Keys;
  order: Order;
  /** Deadlines lie in so many ms from `from` on. */
  from: number;
  spanMs: number;
  seed: number;
}

/** Numbers in [0, 1): mulberry32, so that each run has the same documents. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function uuidV4(random: () => number): string {
  let text = '';
  for (let i = 0; i < 16; i += 1) {
    let byte = Math.floor(random() * 256);
    if (i === 6) byte = (byte & 0x0f) | 0x40;
    if (i === 8) byte = (byte & 0x3f) | 0x80;
    text += HEX[byte];
    if (i === 3 || i === 5 || i === 7 || i === 9) text += '-';
  }
  return text;
}

/** A key as the store itself makes one where a document has none. */
export const uuidV7 = (): string => v7();

/** Batches of `size`, made one at a time, so that making them is not in what is timed. */
export function* batchesOf(load: Load, size: number): Generator<BenchDocument[]> {
  const random = randomFrom(load.seed);
  for (let first = 0; first < load.documents; first += size) {
    yield Array.from({ length: Math.min(size, load.documents - first) }, (_, k) => {
      const i = first + k;
      const place = load.order === 'random' ? random() : i / load.documents;
      const document = {
        e: load.from + Math.floor(place * load.spanMs),
        user: Math.floor(random() * 1_000_000),
        path: `/shop/${i % 97}/items/${i % 1009}`,
        agent: 'Mozilla/5.0 (X11; Linux x86_64)',
        note: 'kept until its deadline, then gone for everybody',
      };
      return load.keys === 'v4' ? { _id: uuidV4(random), ...document } : document;
    });
  }
}
