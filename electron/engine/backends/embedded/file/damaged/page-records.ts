import { readSync } from 'node:fs';

/** Page size of every store, bytes; no byte of a page is reserved. */
export const PAGE_BYTES = 4_096;
/** Largest record that is read, bytes: a document of the largest size with its other columns. */
const LARGEST_RECORD = 64 * 1024 * 1024;
const HEAD_BYTES = 100;

type RecordValue = null | number | bigint | string | Buffer;
export interface TableRow {
  readonly row: number;
  /** NULL in place of an INTEGER PRIMARY KEY, which is `row`. */
  readonly values: readonly RecordValue[];
}

/**
 * One page of a b-tree: `rows` of a table, `keys` of a table without row numbers, or a `branch` to other pages of a table. Anything
 * else, such as noise, text of a long document or a page of an index, is `other`.
 */
export type Page =
  | { readonly kind: 'rows'; readonly rows: readonly TableRow[] }
  | { readonly kind: 'keys'; readonly records: readonly (readonly RecordValue[])[] }
  | { readonly kind: 'branch'; readonly children: readonly number[] }
  | { readonly kind: 'other' };

/**
 * Reads single pages of a SQLite file (https://sqlite.org/fileformat2.html, 1.6 and 2.1) without its list of tables. A cell that is
 * not whole is left out. Page numbers begin at 1.
 */
export class PageReader {
  readonly pages: number;
  readonly #file: number;
  readonly #text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

  constructor(file: number, bytes: number) {
    this.#file = file;
    this.pages = Math.floor(bytes / PAGE_BYTES);
  }

  bytesOf(page: number): Buffer {
    const bytes = Buffer.alloc(PAGE_BYTES);
    readSync(this.#file, bytes, 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
    return bytes;
  }

  /** Reads at most `mostCells` cells. */
  read(page: number, mostCells = Number.POSITIVE_INFINITY): Page {
    const bytes = this.bytesOf(page);
    const start = page === 1 ? HEAD_BYTES : 0;
    const kind = bytes[start];
    if (kind !== 0x0d && kind !== 0x0a && kind !== 0x05) return { kind: 'other' };
    const pointers = start + (kind === 0x05 ? 12 : 8);
    const count = bytes.readUInt16BE(start + 3);
    if (pointers + 2 * count > PAGE_BYTES) return { kind: 'other' };
    const cells: number[] = [];
    for (let i = 0; i < Math.min(count, mostCells); i++) {
      const at = bytes.readUInt16BE(pointers + 2 * i);
      if (at >= pointers + 2 * count && at < PAGE_BYTES) cells.push(at);
    }
    if (kind === 0x05) return this.#branch(bytes, cells, bytes.readUInt32BE(start + 8));
    if (kind === 0x0d) return { kind: 'rows', rows: cells.flatMap(at => this.#row(bytes, at) ?? []) };
    const records = cells.map(at => this.#key(bytes, at)).filter(record => record !== null);
    return { kind: 'keys', records };
  }

  #branch(bytes: Buffer, cells: readonly number[], last: number): Page {
    const children = [...cells.flatMap(at => (at + 4 <= PAGE_BYTES ? [bytes.readUInt32BE(at)] : [])), last];
    const isOfTree = children.every(child => child > 1 && child <= this.pages);
    return isOfTree ? { kind: 'branch', children } : { kind: 'other' };
  }

  #row(bytes: Buffer, at: number): TableRow | null {
    const size = varint(bytes, at);
    const row = size && varint(bytes, size.end);
    if (!row) return null;
    const payload = this.#payload(bytes, row.end, size.value, PAGE_BYTES - 35);
    const values = payload && this.#record(payload);
    return values && { row: row.value, values };
  }

  #key(bytes: Buffer, at: number): readonly RecordValue[] | null {
    const size = varint(bytes, at);
    const largest = Math.floor(((PAGE_BYTES - 12) * 64) / 255) - 23;
    const payload = size && this.#payload(bytes, size.end, size.value, largest);
    return payload && this.#record(payload);
  }

  /** The bytes of a record, whose end may be on a chain of other pages. `largest`: bytes that fit on its own page. */
  #payload(bytes: Buffer, at: number, size: number, largest: number): Buffer | null {
    if (size > LARGEST_RECORD) return null;
    if (size <= largest) return at + size <= PAGE_BYTES ? bytes.subarray(at, at + size) : null;
    const smallest = Math.floor(((PAGE_BYTES - 12) * 32) / 255) - 23;
    const fitting = smallest + ((size - smallest) % (PAGE_BYTES - 4));
    const local = fitting <= largest ? fitting : smallest;
    if (at + local + 4 > PAGE_BYTES) return null;
    const parts = [bytes.subarray(at, at + local)];
    let next = bytes.readUInt32BE(at + local);
    for (let left = size - local; left > 0; ) {
      if (next < 2 || next > this.pages) return null;
      const page = this.bytesOf(next);
      parts.push(page.subarray(4, Math.min(PAGE_BYTES, 4 + left)));
      left -= PAGE_BYTES - 4;
      next = page.readUInt32BE(0);
    }
    // A chain ends with its record.
    return next === 0 ? Buffer.concat(parts) : null;
  }

  #record(payload: Buffer): readonly RecordValue[] | null {
    const head = varint(payload, 0);
    if (head === null || head.value > payload.length) return null;
    const values: RecordValue[] = [];
    let at = head.value;
    for (let next = head.end; next < head.value; ) {
      const type = varint(payload, next);
      if (type === null) return null;
      next = type.end;
      const length = lengthOf(type.value);
      if (length === null || at + length > payload.length) return null;
      const value = this.#value(type.value, payload.subarray(at, at + length));
      if (value === undefined) return null;
      values.push(value);
      at += length;
    }
    return at === payload.length ? values : null;
  }

  /** Returns undefined for a text that is not UTF-8. */
  #value(type: number, bytes: Buffer): RecordValue | undefined {
    if (type === 0) return null;
    if (type === 8 || type === 9) return type - 8;
    if (type === 7) return bytes.readDoubleBE(0);
    if (type === 6) {
      const value = bytes.readBigInt64BE(0);
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    }
    if (type < 6) return bytes.readIntBE(0, bytes.length);
    if (type % 2 === 0) return Buffer.from(bytes);
    try {
      return this.#text.decode(bytes);
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  }
}

/** Bytes of a value by its serial type; null: no such type. */
function lengthOf(type: number): number | null {
  if (type >= 12) return Math.floor((type - 12) / 2);
  return [0, 1, 2, 3, 4, 6, 8, 8, 0, 0][type] ?? null;
}

/** Returns null at the end of the bytes, and for a number that is negative or beyond 2^53: no store has one in these places. */
function varint(bytes: Buffer, at: number): { value: number; end: number } | null {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return null;
    value = value * 128 + (byte & 0x7f);
    if (value > Number.MAX_SAFE_INTEGER) return null;
    if (byte < 0x80) return { value, end: at + i + 1 };
  }
  return null;
}
