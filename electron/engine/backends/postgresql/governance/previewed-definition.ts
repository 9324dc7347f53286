import type { Preview } from '../../../../../shared/contract/ttl-indexes.ts';
import type { PreviewQuery } from '../../backend.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { SessionPool } from '../connection/session-pool.ts';
import { deadlineSql } from '../governed/deadline/deadline-sql.ts';
import type { PartitionPolicy, RowDefinition } from '../governed/definition.ts';
import {
  readWholePartitions,
  removesWholePartitions,
  type WholePartition,
  withPartitions,
} from '../governed/partitions/whole-partitions.ts';
import { estimatedPreview } from '../governed/preview/estimated-preview.ts';
import { partitionedPreview } from '../governed/preview/partitioned-preview.ts';
import { readTable } from '../governed/table-facts.ts';
import { cancellable } from './cancellable.ts';
import type { GovernanceWatch } from './governance-watch.ts';
import { readSamples, toPreview, withoutIndex } from './index-preview.ts';

interface Parts {
  readonly pool: SessionPool;
  readonly catalog: Catalog;
  readonly watch: GovernanceWatch;
  revision(): number;
}

/** Returns the preview of a definition that fits its table. Rejects with CANCELLED if the signal aborts. */
export async function previewDefinition(
  { pool, catalog, watch, revision }: Parts,
  { collection, name, drop, estimate }: PreviewQuery & { estimate?: true | undefined },
  definition: RowDefinition,
  signal: AbortSignal | undefined,
): Promise<Preview> {
  const entry = await catalog.table(collection);
  const began = watch.elapsed();
  const { hasSchema } = watch.snapshot;
  const { counts, samples, partitions } = await cancellable(pool, signal, async session => {
    const table = await readTable(session, collection);
    const deadlines = await deadlineSql(session, table, definition.source);
    const isWhole = drop !== true && (await removesWholePartitions(session, table, definition));
    const whole = isWhole ? await readWholePartitions(session, table, deadlines, { hasSchema }) : [];
    const quick = estimate === true ? await estimatedPreview(session, table, deadlines, whole) : null;
    const found = quick ?? (await partitionedPreview(session, table, deadlines, { hasSchema, whole }));
    const { deadline, reason } = withPartitions(deadlines, whole);
    return {
      counts: found,
      samples: await readSamples(session, table, { value: deadlines.value, deadline, reason }),
      partitions: isWhole ? partitionsOf(whole, definition.partitions, found.at) : null,
    };
  });
  return toPreview(drop === true ? withoutIndex(counts) : counts, {
    kind: drop === true ? 'drop' : name === undefined ? 'create' : 'change',
    revision: revision(),
    bytesARow: entry.rows === 0 ? 0 : entry.bytes / entry.rows,
    elapsedMs: watch.elapsed() - began,
    samples,
    partitions,
  });
}

function partitionsOf(
  whole: readonly WholePartition[],
  policy: PartitionPolicy,
  at: number,
): NonNullable<Preview['partitions']> {
  const due = whole.filter(({ deadlineAt }) => deadlineAt <= at);
  return {
    count: whole.length,
    dueAtOnce: due.length,
    rowsDueAtOnce: Math.round(due.reduce((sum, { rows }) => sum + rows, 0)),
    keptSeconds: policy.mode === 'keep' ? policy.seconds : null,
  };
}
