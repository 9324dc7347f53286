import type { DocumentRecord } from '../../../../shared/contract/documents.ts';
import type { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import type { Reads } from '../backend.ts';

type DocumentId = Parameters<Reads['document']>[0];

/** Reads of a document's content from the server. */
export type ServerValue = Pick<DocumentRecord, 'document' | 'bytes'> & { clipped?: true };

export interface MirroredReadsOptions {
  readonly mirror: DeadlineMirror;
  /** Epoch ms by the server's clock, which decides whether a key is due. */
  readonly serverNow: () => number;
  /** Returns null if only the mirrored record can be shown. Throws DOCUMENT_NOT_FOUND. */
  readValue(id: DocumentId, mirrored: DocumentRecord, now: number): Promise<ServerValue | null>;
}

/** Returns reads in which lists, counts and timelines come from the mirror, and values from the server. */
export function mirroredReads({ mirror, serverNow, readValue }: MirroredReadsOptions): Reads {
  const { reads } = mirror;
  return {
    summaries: names => reads.summaries(names, serverNow()),
    documents: (query, _now, signal) => reads.documents(query, serverNow(), signal),
    async document(query) {
      const now = serverNow();
      const mirrored = await reads.document(query, now);
      return { ...mirrored, ...(await readValue(query, mirrored, now)) };
    },
    missing: (collection, ids) => reads.missing(collection, ids),
    matchingIds: (query, _now, signal) => reads.matchingIds(query, serverNow(), signal),
    explain: (collection, id) => reads.explain(collection, id, serverNow()),
    timeline: query => reads.timeline(query, serverNow()),
    expired: query => reads.expired(query, serverNow()),
  };
}
