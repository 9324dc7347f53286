import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import type { DocumentRecord, Explanation } from '../../../../shared/contract/documents.ts';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import type { TimelineAnswer } from '../../../../shared/contract/timeline.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import { keyOfId } from '../../deadline-mirror/key-id.ts';
import type { DocumentPage, DocumentQuery, ExpiredQuery, Reads, TimelineQuery } from '../backend.ts';
import type { RedisConnection } from './connection/redis-connection.ts';
import { readValue } from './values/redis-value.ts';

/** Lists, counts and timelines come from the mirror, at the server's time; a value comes from the server. */
export class RedisReads implements Reads {
  readonly #mirror: DeadlineMirror;
  readonly #commands: RedisConnection;
  readonly #serverNow: () => number;

  constructor(mirror: DeadlineMirror, commands: RedisConnection, serverNow: () => number) {
    this.#mirror = mirror;
    this.#commands = commands;
    this.#serverNow = serverNow;
  }

  summaries(names: readonly string[] | null): Promise<CollectionSummary[]> {
    return this.#mirror.reads.summaries(names, this.#serverNow());
  }

  documents(query: DocumentQuery, _now: number, signal?: AbortSignal): Promise<DocumentPage> {
    return this.#mirror.reads.documents(query, this.#serverNow(), signal);
  }

  /** A key past its mirrored deadline is not read: the server would delete it, and its lag would be ours. */
  async document(query: {
    collection: string;
    id: string;
    includeExpired: boolean;
  }): Promise<DocumentRecord> {
    const now = this.#serverNow();
    const mirrored = await this.#mirror.reads.document(query, now);
    if (mirrored.deadlineAt !== null && mirrored.deadlineAt <= now) return mirrored;
    const value = await readValue(this.#commands, keyOfId(query.id));
    if (value === null) {
      throw new SandglassError(
        'DOCUMENT_NOT_FOUND',
        `There is no key ${query.id}: it expired or was deleted.`,
        {
          collection: query.collection,
          _id: query.id,
        },
      );
    }
    const { type, length, isPartial } = value;
    return {
      ...mirrored,
      document: {
        _id: query.id,
        type,
        value: value.value,
        ...(isPartial ? { partOf: length } : {}),
      },
      bytes: value.bytes ?? mirrored.bytes,
      ...(isPartial ? { clipped: true } : {}),
    };
  }

  missing(collection: string, ids: readonly string[]): Promise<{ missing: string[]; revision: number }> {
    return this.#mirror.reads.missing(collection, ids);
  }

  matchingIds(
    query: Parameters<Reads['matchingIds']>[0],
    _now: number,
    signal?: AbortSignal,
  ): Promise<{ ids: string[]; next: string | null }> {
    return this.#mirror.reads.matchingIds(query, this.#serverNow(), signal);
  }

  explain(collection: string, id: string): Promise<Explanation> {
    return this.#mirror.reads.explain(collection, id, this.#serverNow());
  }

  timeline(query: TimelineQuery): Promise<TimelineAnswer> {
    return this.#mirror.reads.timeline(query, this.#serverNow());
  }

  expired(query: ExpiredQuery): Promise<{ expired: ExpiredEntry[]; next: string | null }> {
    return this.#mirror.reads.expired(query, this.#serverNow());
  }
}
