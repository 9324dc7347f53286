import type { Preview } from '../../../../../../shared/contract/ttl-indexes.ts';
import { noSuchIndex, type TtlSource } from '../../../../../../shared/model/ttl-index.ts';
import type { Clock } from '../../../../platform/clock.ts';
import type { PreviewQuery } from '../../../backend.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { type Column, readColumns } from '../../catalog/columns.ts';
import type { TableEntry } from '../../catalog/table-entry.ts';
import { inTransaction, type Session } from '../../connection/session.ts';
import type { SessionPool } from '../../connection/session-pool.ts';
import { cancellable } from '../../governance/cancellable.ts';
import { readSamples, toPreview, withoutIndex } from '../../governance/index-preview.ts';
import { readTtls } from '../server/cockroach-catalog.ts';
import { beginCounting, type CockroachFacts } from '../server/cockroach-facts.ts';
import { judged } from '../server/judged.ts';
import { intervalText } from '../ttl/interval.ts';
import { expressionOf } from '../ttl/ttl-definition.ts';
import type { TtlParameters } from '../ttl/ttl-parameters.ts';
import { previewDeadlines } from './deadline-counts.ts';
import { deadlineOf } from './ttl-watch.ts';

export interface PreviewParts {
  readonly pool: SessionPool;
  readonly catalog: Catalog;
  readonly clock: Clock;
  facts(): CockroachFacts | null;
  revision(): number;
}

/** Counts the effect of a TTL on every row of its table. Rejects with CANCELLED, and INVALID_TTL_INDEX as `judged` does. */
export async function previewTtl(
  { pool, clock, catalog, facts, revision }: PreviewParts,
  query: PreviewQuery,
  signal?: AbortSignal,
): Promise<Preview> {
  const { collection, name, drop } = query;
  const entry = await catalog.table(collection);
  const began = clock.elapsed();
  const { columns, ttl } = await pool.use(async session => ({
    columns: await readColumns(session, entry),
    ttl: (await readTtls(session)).get(entry.oid) ?? null,
  }));
  if (name !== undefined && ttl === null) throw noSuchIndex(collection, name);
  const deadline = `(${previewedDeadline(query.source, columns, ttl)})`;
  const { counts, samples } = await judged(() =>
    cancellable(pool, signal, session =>
      inTransaction(
        session,
        async () => ({
          counts: await previewDeadlines(session, entry.name, deadline),
          samples: await samplesOf(session, entry, deadline),
        }),
        beginCounting(facts()),
      ),
    ),
  );
  return toPreview(drop === true ? withoutIndex(counts) : counts, {
    kind: drop === true ? 'drop' : name === undefined ? 'create' : 'change',
    revision: revision(),
    bytesARow: 0,
    elapsedMs: clock.elapsed() - began,
    samples,
    partitions: null,
  });
}

/**
 * The deadline that a source would give. A new `ttl_expire_after` gives every row the same, since its column is filled
 * with the present instant; a changed one leaves the deadlines of existing rows until they are written.
 */
function previewedDeadline(
  source: TtlSource | undefined,
  columns: readonly Column[],
  ttl: TtlParameters | null,
): string {
  if (source === undefined) return ttl === null ? 'NULL::timestamptz' : deadlineOf(ttl);
  if (source.kind !== 'lastModified' || ttl?.ttl_expire_after !== undefined)
    return expressionOf(source, columns);
  return `now() + interval '${intervalText(source.expireAfter)}'`;
}

async function samplesOf(session: Session, entry: TableEntry, deadline: string): Promise<Preview['samples']> {
  const columns = entry.key.map(({ name, type }) => ({ name, type, isGenerated: false }));
  // The names of partitions are of PostgreSQL only.
  const table = { ...entry, isPartitioned: true, columns, key: columns };
  return readSamples(session, table, { value: deadline, deadline, reason: "'missing field'" });
}
