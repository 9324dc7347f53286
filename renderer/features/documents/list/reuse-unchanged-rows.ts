import type { DocumentRecord } from '../../../../shared/contract/documents.ts';

/** Replaces unchanged rows by the known objects, so that they are not rendered again. */
export function keepUnchanged(
  known: readonly DocumentRecord[],
  read: readonly DocumentRecord[],
): readonly DocumentRecord[] {
  const byId = new Map(known.map(row => [row._id, row]));
  const rows = read.map(row => {
    const before = byId.get(row._id);
    return before !== undefined && isSame(before, row) ? before : row;
  });
  return rows.length === known.length && rows.every((row, i) => row === known[i]) ? known : rows;
}

function isSame(a: DocumentRecord, b: DocumentRecord): boolean {
  return (
    a.updatedAt === b.updatedAt &&
    a.deadlineAt === b.deadlineAt &&
    a.deadlineFrom === b.deadlineFrom &&
    a.state === b.state &&
    a.waitsFor === b.waitsFor &&
    a.bytes === b.bytes
  );
}
