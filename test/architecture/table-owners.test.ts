import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../electron/engine/backends/embedded/file/migrate.ts';
import { sourceFiles } from './layers.ts';
import { foreignWritesOf, OWNERS } from './table-owners.ts';

const root = join(import.meta.dirname, '../..');

// The adapter of PostgreSQL writes the tables of other databases, and none of a file of Sandglass.
const engineFiles = sourceFiles(root).filter(
  ({ path }) => path.startsWith('electron/') && !path.startsWith('electron/engine/backends/postgresql/'),
);

/** `<x>` stands for a computed part. */
function withComputedParts(source: string): string {
  return source.replace(/<(\w+)>/g, `\${$1}`);
}

describe('owners of tables', () => {
  it('are the only files that write them', () => {
    expect(engineFiles.flatMap(({ path, source }) => foreignWritesOf(path, source))).toEqual([]);
  });

  it('exist for every table of a new store', () => {
    const db = new Sqlite(':memory:');
    migrate(db);
    const names = db
      .prepare<[], string>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`,
      )
      .pluck()
      .all();
    expect(names.filter(name => OWNERS[name] === undefined)).toEqual([]);
    expect(Object.values(OWNERS).filter(file => !existsSync(join(root, file)))).toEqual([]);
    db.close();
  });

  // Counter-examples.
  it.each([
    ['write/a.ts', 'db.prepare(`INSERT INTO removals (seq) VALUES (?)`)'],
    ['write/a.ts', 'db.prepare(`INSERT OR REPLACE INTO passes VALUES (?)`)'],
    ['write/a.ts', 'db.prepare(`UPDATE collections\n  SET paused = ? WHERE id = ?`)'],
    ['write/a.ts', 'db.prepare(`DELETE FROM documents_<id> WHERE row = ?`)'],
    ['write/a.ts', 'db.exec(`DROP TABLE keys_<id>`)'],
    ['write/a.ts', 'db.exec(`CREATE TABLE more (id INTEGER)`)'],
    ['write/a.ts', 'db.prepare(`DELETE FROM <table> WHERE id = ?`)'],
    ['write/a.ts', "db.prepare('DELETE FROM ' + table)"],
    ['write/a.ts', 'new ManyRows(db, `entries_<number>`, 3)'],
    ['tables/a.ts', 'db.prepare(`DELETE FROM counts_<number> WHERE level = ?`)'],
    ['write/a.ts', "insertRow(db, 'holds', row)"],
    ['write/a.ts', "db.prepare(`SELECT value FROM meta WHERE key = 'swept'`)"],
    ['tables/passes.ts', "db.prepare('DELETE FROM removals')"],
    ['tables/row-statements.ts', "db.prepare('DELETE FROM removals')"],
  ])('%s may not contain %s', (file, source) => {
    expect(
      foreignWritesOf(`electron/engine/backends/embedded/${file}`, withComputedParts(source)),
    ).toHaveLength(1);
  });

  it.each([
    ['tables/passes.ts', "db.prepare('DELETE FROM passes WHERE id = ?')"],
    ['tables/documents/documents.ts', 'db.prepare(`INSERT INTO documents_<id> VALUES (?)`)'],
    ['tables/row-statements.ts', 'db.prepare(`INSERT INTO <table> VALUES (?)`)'],
    ['file/migrate.ts', "db.exec('UPDATE meta SET value = 0')"],
    ['read/a.ts', "db.prepare('SELECT seq FROM removals WHERE seq > ?')"],
    ['../../deadline-index/index-table.ts', 'db.exec(`DROP TABLE entries_<number>`)'],
    [
      '../../deadline-index/index-table.ts',
      "'ON CONFLICT DO UPDATE SET documents = documents + excluded.documents'",
    ],
  ])('%s may contain %s', (file, source) => {
    const path = posix.join('electron/engine/backends/embedded', file);
    expect(foreignWritesOf(path, withComputedParts(source))).toEqual([]);
  });
});
