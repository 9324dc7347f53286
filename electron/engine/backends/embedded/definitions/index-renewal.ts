import { dropIndexTable } from '../../../deadline-index/index-table.ts';
import type { CatalogIndex } from '../catalog/catalog-index.ts';
import { createNextIndexTable } from '../tables/next-index-table.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { Writer } from '../write/writer.ts';
import type { GovernedTables } from './governed-tables.ts';
import { retireIndexTable } from './retire-index-table.ts';

/**
 * Starts to rebuild a collection's outdated indexes: those whose entries were made by another version of the reading
 * rules (shared/model/reading-rules.ts).
 *
 * A write removes an entry by computing its reference time again, and by other rules it may compute another. So an
 * outdated index is inert from the moment its store is opened: the writer leaves its index table alone and the reaper
 * does not act on it. Here the table is replaced by an empty one, which a backfill fills, so no former entry is kept.
 * Meanwhile reads compute a document's deadline from the document itself, by the present rules: due documents stay
 * hidden [V1], are not removed before the build ends, and are neither counted nor listed by deadline.
 *
 * When the build ends, the circuit breaker counts the documents that the present rules make due and the former ones did
 * not [R8]. Quarantined documents are tried again, and the tables of governed documents are rebuilt [A5, D9].
 */
export function renewIndexes(
  writer: Writer,
  governedTables: GovernedTables,
  transaction: Transaction,
  name: string,
): void {
  const { db, tables } = writer;
  const collection = writer.collection(name);
  for (const index of collection.catalog.indexes) {
    if (!index.isOutdated) continue;
    for (const row of collection.entries.clearQuarantine(index)) transaction.touch(name, row);
    const wasDue = dueByFormerEntries(writer, index, transaction.at);
    retireIndexTable(writer, index.table);
    if (index.governedTable !== null) dropIndexTable(db, index.governedTable);
    tables.ttlIndexes.beginRenewal(index.id, createNextIndexTable(db), wasDue);
    transaction.note({ collection: name, kind: 'definition', id: index.name });
  }
  governedTables.empty(name);
}

/** Returns null if the index had no effect. */
function dueByFormerEntries(writer: Writer, index: CatalogIndex, at: number): number | null {
  if (!index.isActing) return null;
  return index.wasDue ?? writer.indexTable(index.table).before(at - index.addMs + 1).documents;
}
