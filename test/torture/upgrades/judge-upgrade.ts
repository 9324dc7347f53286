import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { MIGRATIONS, userVersion } from '../../../electron/engine/backends/embedded/file/migrate.ts';
import { openEmbeddedStore } from '../../../electron/engine/backends/embedded/store.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { answersOf } from '../../support/store-answers.ts';
import { FIXTURE_NOW } from './earlier-stores.ts';

/** Opens a store with today's version and returns its answers to every read, as JSON. */
export async function answersAfterUpgrade(file: string): Promise<string> {
  const store = openEmbeddedStore({ file, clock: createManualClock(FIXTURE_NOW), reads: 'inline' });
  try {
    return JSON.stringify(await answersOf(store, FIXTURE_NOW));
  } finally {
    await store.close();
  }
}

/**
 * Returns what is wrong with a store of `format` whose migration was interrupted: its copy is not complete under its
 * name, or is missing although the store has changed, or the next opening does not give the same answers.
 */
export async function judgeUpgrade(
  file: string,
  { format, answers, rows }: { format: number; answers: string; rows: number },
): Promise<string[]> {
  try {
    const copies = readdirSync(dirname(file)).filter(name => /\.before-v\d+(\.\d+)?$/.test(name));
    const problems = copies.flatMap(name => copyProblems(join(dirname(file), name), format, rows));
    if (versionOf(file) !== format && copies.length === 0) problems.push('it was migrated without a copy');
    if ((await answersAfterUpgrade(file)) !== answers)
      problems.push('its answers differ from those of an uninterrupted migration');
    if (!existsSync(`${file}.before-v${MIGRATIONS.length}`)) problems.push('there is no copy of what it was');
    const db = new Sqlite(file, { readonly: true });
    const integrity = String(db.pragma('integrity_check', { simple: true }));
    db.close();
    if (integrity !== 'ok') problems.push(integrity);
    return problems;
  } catch (error) {
    return [error instanceof Error ? `${error.name}: ${error.message}` : String(error)];
  }
}

/** The version that follows refuses nothing of today's; today's refuses what a later one wrote, and leaves it as it is. */
export function laterIsRefused(file: string): string[] {
  const db = new Sqlite(file);
  db.pragma(`user_version = ${MIGRATIONS.length + 1}`);
  db.close();
  const before = readFileSync(file);
  try {
    openEmbeddedStore({ file, clock: createManualClock(FIXTURE_NOW), reads: 'inline' });
    return ['a store of a later format was opened'];
  } catch (error) {
    const isRefused = error instanceof Error && 'code' in error && error.code === 'STORE_TOO_NEW';
    if (!isRefused) return [`a store of a later format was refused with ${String(error)}`];
    return readFileSync(file).equals(before) ? [] : ['a refused store was changed'];
  }
}

/** Number of documents of a store, of any format. */
export function documentRows(file: string): number {
  const db = new Sqlite(file, { readonly: true });
  try {
    const tables = db
      .prepare<[], string>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'documents_[0-9]*'`,
      )
      .pluck()
      .all();
    const count = (table: string) =>
      db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
    return tables.reduce((sum, table) => sum + count(table), 0);
  } finally {
    db.close();
  }
}

function versionOf(file: string): number {
  const db = new Sqlite(file, { readonly: true });
  try {
    return userVersion(db);
  } finally {
    db.close();
  }
}

function copyProblems(copy: string, format: number, rows: number): string[] {
  const db = new Sqlite(copy, { readonly: true });
  try {
    const isWhole = db.pragma('quick_check', { simple: true }) === 'ok' && userVersion(db) >= format;
    return isWhole && documentRows(copy) === rows ? [] : [`${basename(copy)} is not complete`];
  } finally {
    db.close();
  }
}
