import type { Database } from 'better-sqlite3';
import { createIndexTable } from '../../../deadline-index/index-table.ts';
import { Meta } from './meta.ts';
import { createWithTablesAhead } from './tables-ahead.ts';

/** Creates an index table of the next number and returns that number. */
export function createNextIndexTable(db: Database): number {
  const meta = new Meta(db);
  const next = meta.number('nextSideTable') ?? 1;
  meta.set('nextSideTable', next + 1);
  createWithTablesAhead(db, { table: 'entries', number: next }, number => createIndexTable(db, number));
  return next;
}
