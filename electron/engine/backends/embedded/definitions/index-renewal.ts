import { SideTableReader } from '../rows/side-table-reader.ts';
import type { Transaction } from '../rows/transaction.ts';
import type { CatalogIndex } from '../tables/catalog.ts';
import { createSideTable, dropSideTable } from '../tables/side-table.ts';
import type { Writer } from '../write/writer.ts';
import type { EffectiveIndexTables } from './effective-index-tables.ts';

/**
 * Begins to build a collection's outdated indexes anew: those whose entries were made by another version of the reading
 * rules (shared/model/reading-rules.ts).
 *
 * A write removes an entry by computing its reference time again, and by other rules it may compute another. So an outdated
 * index is inert from the moment its store is opened: the writer leaves its side table alone and the reaper does not act on
 * it. Here the table is replaced by an empty one, which a backfill fills. Nothing of the former table is kept, so nothing
 * stale is. Meanwhile a document's deadline, which reads compute from the document itself, is that of the present rules: what
 * is due stays hidden [V1], waits for the build, and is neither counted nor listed by deadline.
 *
 * What the present rules make due beyond what was due by the former ones goes under the circuit breaker when the build
 * ends [R8]. Documents it had given up on are tried anew, and the governed tables are made again [A5, D9].
 */
export function renewIndexes(
  writer: Writer,
  governed: EffectiveIndexTables,
  transaction: Transaction,
  name: string,
): void {
  const { db, tables } = writer;
  const collection = writer.collection(name);
  for (const index of collection.catalog.indexes) {
    if (!index.isOutdated) continue;
    for (const row of collection.clearQuarantine(index)) transaction.touch(name, row);
    const wasDue = dueByFormerEntries(writer, index, transaction.at);
    dropSideTable(db, index.side);
    if (index.governed !== null) dropSideTable(db, index.governed);
    tables.ttlIndexes.beginRenewal(index.id, createSideTable(db), wasDue);
    transaction.note({ collection: name, kind: 'definition', id: index.name });
  }
  governed.empty(name);
}

/** Null: it had no effect. */
function dueByFormerEntries({ db }: Writer, index: CatalogIndex, at: number): number | null {
  if (!index.isActing) return null;
  return index.wasDue ?? new SideTableReader(db, index.side).before(at - index.addMs + 1).documents;
}
