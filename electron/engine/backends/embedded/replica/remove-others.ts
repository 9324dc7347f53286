import type { ReplicaDocument } from '../../../../../shared/contract/replication.ts';
import type { RowPlace } from '../../backend.ts';
import type { Writer } from '../write/writer.ts';

const ROWS_A_READ = 64;

/** Removes documents after a place and up to another that the leader does not have there. */
export function removeOthers(
  writer: Writer,
  documents: readonly ReplicaDocument[],
  { from, to }: { from: RowPlace; to: RowPlace },
): void {
  const kept = new Set(documents.map(({ collection, row }) => `${collection}:${row}`));
  for (const { id: number, name } of writer.catalog.collections.values()) {
    if (number < from.collection || number > to.collection) continue;
    const collection = writer.collection(name);
    const until = number === to.collection ? to.row : Number.MAX_SAFE_INTEGER;
    for (let row = number === from.collection ? from.row : 0; ; ) {
      const rows = collection.rowsAfter(row, ROWS_A_READ).filter(stored => stored.row <= until);
      for (const stored of rows) if (!kept.has(`${number}:${stored.row}`)) collection.delete(stored);
      row = rows.at(-1)?.row ?? row;
      if (rows.length < ROWS_A_READ) break;
    }
  }
}
