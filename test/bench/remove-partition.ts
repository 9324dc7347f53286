import type { OwnSession } from '../../electron/engine/backends/postgresql/connection/session.ts';
import { deadlineSql } from '../../electron/engine/backends/postgresql/governed/deadline/deadline-sql.ts';
import { rowDefinition } from '../../electron/engine/backends/postgresql/governed/definition.ts';
import { readPartitions } from '../../electron/engine/backends/postgresql/governed/partitions/partition.ts';
import { removePartition } from '../../electron/engine/backends/postgresql/governed/partitions/removed-partition.ts';
import { takeReaperLock } from '../../electron/engine/backends/postgresql/governed/reaper/reaper-lock.ts';
import {
  createDefinition,
  readDefinition,
} from '../../electron/engine/backends/postgresql/governed/schema/definitions-table.ts';
import { readTable } from '../../electron/engine/backends/postgresql/governed/table-facts.ts';
import { timed } from './figures.ts';

const SOURCE = { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 0 } as const;

/**
 * Returns how long the reaper takes to remove a partition of so many rows, ms: until no query finds them. The session has no
 * reaper beside it.
 */
export async function timeToRemovePartition(session: OwnSession, rows: number): Promise<number> {
  await session.query(`DROP TABLE IF EXISTS parts; CREATE TABLE parts (id bigint, at timestamptz, body text, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
    CREATE TABLE part PARTITION OF parts FOR VALUES FROM ('2026-01-01') TO ('2026-02-01')`);
  await session.query(
    `INSERT INTO parts SELECT n, '2026-01-02', repeat('x', 200) FROM generate_series(1, $1::int) n`,
    [rows],
  );
  await session.query('CHECKPOINT');
  const table = await readTable(session, 'parts');
  const definition = rowDefinition(
    {
      name: 'ttl',
      source: SOURCE,
      onExpire: { action: 'delete' },
      schedule: { mode: 'exact' },
      limits: {},
      retention: null,
    },
    { mode: 'drop' },
  );
  await createDefinition(session, table, definition, { by: 'bench', isConfirmed: true });
  const stored = await readDefinition(session, table, definition.name);
  const holder = await takeReaperLock(session);
  const deadlines = await deadlineSql(session, table, SOURCE);
  const [partition] = await readPartitions(session, table, deadlines);
  if (holder === null || partition === undefined) throw new Error('there is no partition');
  const cutoff = '2026-02-02 00:00:00+00';
  const removal = { table, definition: stored, partition, cutoff, holder };
  return await timed(() => removePartition(session, removal));
}
