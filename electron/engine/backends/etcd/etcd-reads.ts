import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import type { DocumentRecord, Explanation } from '../../../../shared/contract/documents.ts';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import type { TimelineAnswer } from '../../../../shared/contract/timeline.ts';
import type { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import { keyOfId } from '../../deadline-mirror/key-id.ts';
import type { DocumentPage, DocumentQuery, ExpiredQuery, Reads, TimelineQuery } from '../backend.ts';
import { gone } from './changes/key-changes.ts';
import type { EtcdClient } from './connection/etcd-client.ts';
import { NO_LEASE } from './connection/replies.ts';
import { readKey } from './keys/key-range.ts';
import { shownValue } from './values/etcd-value.ts';

/** Lists, counts and timelines come from the mirror; a value comes from the server. */
export class EtcdReads implements Reads {
  readonly #mirror: DeadlineMirror;
  readonly #client: EtcdClient;

  constructor(mirror: DeadlineMirror, client: EtcdClient) {
    this.#mirror = mirror;
    this.#client = client;
  }

  summaries(names: readonly string[] | null, now: number): Promise<CollectionSummary[]> {
    return this.#mirror.reads.summaries(names, now);
  }

  documents(query: DocumentQuery, now: number, signal?: AbortSignal): Promise<DocumentPage> {
    return this.#mirror.reads.documents(query, now, signal);
  }

  /** The document has the value and the revision that an edit of it is compared with. */
  async document(
    query: { collection: string; id: string; includeExpired: boolean },
    now: number,
  ): Promise<DocumentRecord> {
    const mirrored = await this.#mirror.reads.document(query, now);
    const found = await readKey(this.#client, keyOfId(query.id), { withValue: true });
    if (found === null) throw gone(query.id);
    const { key, value, mod_revision, version, lease } = found;
    return {
      ...mirrored,
      document: {
        _id: query.id,
        type: 'key',
        value: shownValue(value),
        modRevision: mod_revision,
        version,
        lease: lease === NO_LEASE ? null : leaseText(lease),
      },
      bytes: key.length + value.length,
    };
  }

  missing(collection: string, ids: readonly string[]): Promise<{ missing: string[]; revision: number }> {
    return this.#mirror.reads.missing(collection, ids);
  }

  matchingIds(
    query: Parameters<Reads['matchingIds']>[0],
    now: number,
    signal?: AbortSignal,
  ): Promise<{ ids: string[]; next: string | null }> {
    return this.#mirror.reads.matchingIds(query, now, signal);
  }

  explain(collection: string, id: string, now: number): Promise<Explanation> {
    return this.#mirror.reads.explain(collection, id, now);
  }

  timeline(query: TimelineQuery, now: number): Promise<TimelineAnswer> {
    return this.#mirror.reads.timeline(query, now);
  }

  expired(query: ExpiredQuery, now: number): Promise<{ expired: ExpiredEntry[]; next: string | null }> {
    return this.#mirror.reads.expired(query, now);
  }
}

/** As etcdctl shows it: hexadecimal. */
function leaseText(id: string): string {
  return BigInt.asUintN(64, BigInt(id)).toString(16);
}
