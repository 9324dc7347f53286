import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../../../electron/engine/backends/postgresql/catalog/catalog.ts';
import { POSTGRES_CATALOG } from '../../../../../electron/engine/backends/postgresql/catalog/table-entry.ts';
import {
  NEEDS_POSTGRES,
  openTestPool,
  openTestSession,
  postgresOfSuite,
} from '../../../../support/postgres.ts';
import { runsHere } from '../../../../support/runs-here.ts';

describe.runIf(runsHere('the catalog of PostgreSQL', NEEDS_POSTGRES))('the catalog of PostgreSQL', () => {
  const server = postgresOfSuite();

  it('[M1] counts inserted and updated rows as written, and not deleted ones', async () => {
    const uri = await server.database();
    /** The server counts what a session did when it ends. */
    const run = async (sql: string) => {
      const session = await openTestSession(uri);
      await session.query(sql);
      await session.close();
    };
    await run('CREATE TABLE s (id int PRIMARY KEY, name text); INSERT INTO s SELECT generate_series(1, 9)');
    const catalog = new Catalog(openTestPool(uri), POSTGRES_CATALOG);
    const changes = { collections: new Set<string>(), written: 0 };
    const changed = (wanted: () => boolean) =>
      expect
        .poll(
          async () => {
            const { collections, written } = await catalog.refresh();
            for (const name of collections) changes.collections.add(name);
            changes.written += written.get('s') ?? 0;
            return wanted();
          },
          { timeout: 20_000 },
        )
        .toBe(true);
    await changed(() => catalog.all[0]?.written === 9);
    changes.written = 0;
    changes.collections.clear();
    await run('DELETE FROM s WHERE id < 5');
    await changed(() => changes.collections.has('s'));
    expect(changes.written).toBe(0);
    await run(`UPDATE s SET name = 'n' WHERE id > 7; DELETE FROM s WHERE id = 5`);
    await changed(() => changes.written > 0);
    expect(changes.written).toBe(2);
  });
});
