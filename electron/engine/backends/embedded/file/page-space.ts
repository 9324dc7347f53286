import { statSync } from 'node:fs';
import type { Database } from './database.ts';

/** Space of a store's pages, in bytes; includes pages that only the write-ahead log holds. */
export interface PageSpace {
  readonly totalBytes: number;
  /** Pages without content, which later writes use again. */
  readonly freeBytes: number;
}

export function pageSpace(db: Database): PageSpace {
  const pageBytes = figure(db, 'page_size');
  return {
    totalBytes: figure(db, 'page_count') * pageBytes,
    freeBytes: figure(db, 'freelist_count') * pageBytes,
  };
}

/** Returns the bytes by which the file must still grow for pages that only the write-ahead log holds. */
export function growthOfFile(db: Database, file: string): number {
  return Math.max(0, pageSpace(db).totalBytes - statSync(file).size);
}

function figure(db: Database, pragma: 'page_size' | 'page_count' | 'freelist_count'): number {
  return Number(db.pragma(pragma, { simple: true }));
}
