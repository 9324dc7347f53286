import type { Session } from '../../connection/session.ts';
import type { LockHolder } from '../batches/batch.ts';
import type { DeadlineSql } from '../deadline/deadline-sql.ts';
import type { TableDefinition } from '../definition.ts';
import type { GovernedTable } from '../table-facts.ts';
import { isPartitionedByDeadline, type Partition, readPartitions } from './partition.ts';
import { dropDetached, removePartition } from './removed-partition.ts';
import { readSparedPartitions } from './restored-partition.ts';

interface PartitionDropsInput {
  readonly table: GovernedTable;
  readonly definition: TableDefinition;
  readonly deadlines: DeadlineSql;
  readonly holder: LockHolder;
}

/** Partitions are read again after this, ms by the server's clock. */
const REREAD_MS = 5_000;

/** Removes the partitions of one table as a whole, as its definition says. */
export class PartitionDrops {
  readonly #input: PartitionDropsInput;
  /** Those with a deadline that have no pinned row. */
  #partitions: Partition[] = [];
  readonly #pinned = new Set<number>();
  #readAt = Number.NEGATIVE_INFINITY;

  private constructor(input: PartitionDropsInput) {
    this.#input = input;
  }

  /**
   * Returns null where the rows of all partitions are removed one by one: by the definition, or since the deadline is not
   * bounded by the partition key, or a foreign key refers to the table, whose rows the server would look up one by one.
   */
  static async of(session: Session, input: PartitionDropsInput): Promise<PartitionDrops | null> {
    const { table, definition } = input;
    const { partitions, source, onExpire } = definition.definition;
    if (partitions.mode === 'rows' || onExpire.action !== 'delete') return null;
    if (!(await isPartitionedByDeadline(session, table, source))) return null;
    if (await isReferenced(session, table)) return null;
    const drops = new PartitionDrops(input);
    await drops.#read(session);
    return drops;
  }

  /** The tables whose rows leave with their partition. */
  get leaves(): number[] {
    return this.#partitions.flatMap(({ leaves }) => leaves);
  }

  /** Earliest deadline of a partition, epoch ms; null: there is none. */
  get nextAt(): number | null {
    return this.#partitions[0]?.deadlineAt ?? null;
  }

  /** Removes the partitions that are past their deadline at an instant, epoch ms and as text. Returns their rows, estimated, and how many they were. */
  async removePast(
    session: Session,
    now: { readonly ms: number; readonly text: string },
  ): Promise<{ partitions: number; rows: number }> {
    if (now.ms - this.#readAt > REREAD_MS) {
      await this.#read(session);
      this.#readAt = now.ms;
    }
    const removed = { partitions: 0, rows: 0 };
    for (const partition of this.#partitions.filter(
      ({ deadlineAt }) => deadlineAt !== null && deadlineAt <= now.ms,
    )) {
      const outcome = await removePartition(session, { ...this.#input, partition, cutoff: now.text });
      if (outcome === 'changed') continue;
      this.#partitions = this.#partitions.filter(({ oid }) => oid !== partition.oid);
      if (outcome === 'pinned') this.#pinned.add(partition.oid);
      else {
        removed.partitions += 1;
        removed.rows += Math.round(partition.rows);
      }
    }
    if (removed.partitions > 0) await dropDetached(session, this.#input.holder);
    return removed;
  }

  async #read(session: Session): Promise<void> {
    const { table, deadlines } = this.#input;
    const all = await readPartitions(session, table, deadlines);
    const spared = await readSparedPartitions(session, table);
    const isKept = (oid: number) => this.#pinned.has(oid) || spared.has(oid);
    this.#partitions = all.filter(({ oid, deadlineAt }) => deadlineAt !== null && !isKept(oid));
  }
}

async function isReferenced(session: Session, { oid }: GovernedTable): Promise<boolean> {
  const { rows } = await session.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_catalog.pg_constraint WHERE confrelid = $1::oid AND contype = 'f'
      AND conparentid = 0) AS found`,
    [oid],
  );
  return rows[0]?.found === true;
}
