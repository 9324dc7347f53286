import { readFileSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import type { Client } from '../../shared/contract/index.ts';
import { NOON, openTestEngine, SECOND } from './engine.ts';

export const PAGE_BYTES = 4_096;

/** Waits until a job has ended. */
export async function ended(client: Client, id: string) {
  for (;;) {
    const job = await client.jobs.get({ job: id });
    if (job.state !== 'running') return job;
    await new Promise(resolve => setImmediate(resolve));
  }
}

/** Recovers a store into a new one an hour later, and returns what the new one has. */
export async function recovered(file: string) {
  const test = openTestEngine({ startAt: NOON + 30 * SECOND });
  const job = await ended(test.client, (await test.client.store.recover({ file })).id);
  return { ...test, job };
}

export function overwrite(file: string, change: (bytes: Buffer) => void): void {
  const bytes = readFileSync(file);
  change(bytes);
  writeFileSync(file, bytes);
}

/** Pages of the list of tables, from 1. */
export function schemaPages(file: string): number[] {
  const db = new Sqlite(file, { readonly: true });
  try {
    return db.prepare<[], number>(`SELECT pageno FROM dbstat WHERE name = 'sqlite_schema'`).pluck().all();
  } finally {
    db.close();
  }
}

/** Leaf pages of a table in the order of its rows, with the number of these. */
export function leavesOf(file: string, table: string): { page: number; cells: number }[] {
  const db = new Sqlite(file, { readonly: true });
  try {
    return db
      .prepare<[string], { page: number; cells: number }>(
        `SELECT pageno AS page, ncell AS cells FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path`,
      )
      .all(table);
  } finally {
    db.close();
  }
}
