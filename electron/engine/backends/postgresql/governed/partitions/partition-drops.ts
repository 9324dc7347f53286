import type { Session } from '../../connection/session.ts';
import type { LockHolder } from '../batches/batch.ts';
import type { DeadlineSql } from '../deadline/deadline-sql.ts';
import type { TableDefinition } from '../definition.ts';
import type { GovernedTable } from '../table-facts.ts';
import { dropDetached, removePartition } from './removed-partition.ts';
import { readWholePartitions, removesWholePartitions, type WholePartition } from './whole-partitions.ts';

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
  #partitions: WholePartition[] = [];
  readonly #pinned = new Set<number>();
  #readAt = Number.NEGATIVE_INFINITY;

  private constructor(input: PartitionDropsInput) {
    this.#input = input;
  }

  /** Returns null where the rows of all partitions are removed one by one. */
  static async of(session: Session, input: PartitionDropsInput): Promise<PartitionDrops | null> {
    if (!(await removesWholePartitions(session, input.table, input.definition.definition))) return null;
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
    for (const partition of this.#partitions.filter(({ deadlineAt }) => deadlineAt <= now.ms)) {
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
    const all = await readWholePartitions(session, table, deadlines);
    this.#partitions = all.filter(({ oid }) => !this.#pinned.has(oid));
  }
}
