import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { MIGRATIONS, userVersion } from '../../../electron/engine/backends/embedded/file/migrate.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/stores');
/** The instant of the fixtures (their README.md), epoch ms. */
export const FIXTURE_NOW = Date.UTC(2026, 10, 22, 12, 15);

export interface EarlierStore {
  readonly format: number;
  readonly bytes: Buffer;
  /** Write-ahead log that a killed process left beside it; null: it was closed. */
  readonly log: Buffer | null;
}

/**
 * Every stored file of an earlier format, and each of them as it is between two steps of its migration, with its log: the state
 * that an interrupted one leaves, and that the versions between had when they were killed. With frames in its log, SQLite
 * makes a commit durable before it syncs the folder.
 */
export function earlierStores(folder: string): EarlierStore[] {
  return readdirSync(FIXTURES)
    .filter(name => name.endsWith('.sandglass.gz'))
    .flatMap(name => {
      const bytes = gunzipSync(readFileSync(join(FIXTURES, name)));
      return stepsOf(join(folder, 'step.sandglass'), bytes);
    });
}

function stepsOf(file: string, bytes: Buffer): EarlierStore[] {
  writeFileSync(file, bytes);
  const db = new Sqlite(file);
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('wal_autocheckpoint = 0');
    const stores: EarlierStore[] = [];
    for (let format = userVersion(db); format < MIGRATIONS.length; format++) {
      const isFirst = stores.length === 0;
      stores.push({
        format,
        bytes: isFirst ? bytes : readFileSync(file),
        log: isFirst ? null : readFileSync(`${file}-wal`),
      });
      const step = MIGRATIONS[format];
      db.transaction(() => {
        if (typeof step === 'string') db.exec(step);
        else step?.(db);
        db.pragma(`user_version = ${format + 1}`);
      })();
    }
    return stores;
  } finally {
    db.close();
    rmSync(file);
  }
}
