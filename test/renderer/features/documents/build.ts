import type { DocumentRecord } from '../../../../shared/contract/documents.ts';

/** A document as the engine lists it, with the given members. */
export function row(_id: string, change: Partial<DocumentRecord> = {}): DocumentRecord {
  return {
    _id,
    document: { _id },
    updatedAt: 1_000,
    deadlineAt: null,
    deadlineFrom: null,
    state: 'never',
    hidden: false,
    bytes: 20,
    ...change,
  };
}
