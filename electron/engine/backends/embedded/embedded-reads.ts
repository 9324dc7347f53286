import type { CollectionSummary } from '../../../../shared/contract/collections.ts';
import type { ExpiredEntry } from '../../../../shared/contract/metrics.ts';
import type { Clock } from '../../platform/clock.ts';
import type { EmbeddedBackendReads } from '../backend.ts';
import { readSeries } from './administration/embedded-metric-series.ts';
import { inTime } from './catalog/expression-time-limit.ts';
import { previewByScan } from './read/preview/preview-by-scan.ts';
import { previewFromCounts } from './read/preview/preview-from-counts.ts';
import { findCandidates } from './read/read-candidates.ts';
import { ChangeReader } from './read/read-changes.ts';
import { ReadConnection } from './read/read-connection.ts';
import {
  type DocumentChoice,
  getDocument,
  listDocuments,
  missingIds,
  scanDocuments,
} from './read/read-documents.ts';
import { explainExpiry } from './read/read-explanation.ts';
import { exportPage } from './read/read-export.ts';
import { readExpired, readPasses } from './read/read-history.ts';
import { readDroppedIndexes, readPolicyHistory } from './read/read-policy-history.ts';
import { ReplicaReader } from './read/read-replica.ts';
import { readStorage } from './read/read-storage.ts';
import { describeIndex, summarize } from './read/read-summaries.ts';
import { readTimeline } from './read/read-timeline.ts';
import { rehearseReads } from './read/rehearse-reads.ts';
import { type ScanKind, ScanScheduler } from './read/scan-scheduler.ts';
import { SnapshotLimit } from './read/snapshot-limit.ts';

/** Summaries read in one piece: 0.1 ms each. Calls that arrive meanwhile are answered first. */
const SUMMARIES_A_TURN = 100;
/** Page of a listing, for bulk changes of all its documents. */
const WHOLE_LIST = { limit: 1_000, sort: '_id', order: 'asc', includeExpired: false } as const;

/** The read side of the embedded store, on its own connections. */
export class EmbeddedReads implements EmbeddedBackendReads {
  readonly #file: string;
  readonly #reader: ReadConnection;
  readonly #changes: ChangeReader;
  readonly #replica: ReplicaReader;
  readonly #clock: Clock;
  readonly #snapshots: SnapshotLimit;
  readonly #turns: ScanScheduler;

  constructor(file: string, clock: Clock) {
    this.#file = file;
    this.#reader = new ReadConnection(file);
    this.#changes = new ChangeReader(this.#reader);
    this.#replica = new ReplicaReader(this.#reader, () => clock.elapsed());
    this.#clock = clock;
    this.#snapshots = new SnapshotLimit(clock, () => this.#reader.logPages());
    this.#turns = new ScanScheduler(clock, () => this.#snapshots.check());
  }

  summaries: EmbeddedBackendReads['summaries'] = async (names, now) => {
    const wanted = names ?? this.#reader.read(() => [...this.#reader.catalog.collections.keys()]);
    const summaries: CollectionSummary[] = [];
    for (let i = 0; i < wanted.length; i += SUMMARIES_A_TURN) {
      if (i > 0) await this.#turns.next();
      const some = wanted.slice(i, i + SUMMARIES_A_TURN);
      const read = () => {
        const { collections } = this.#reader.catalog;
        return some.filter(name => collections.has(name)).map(name => summarize(this.#reader, name, now));
      };
      summaries.push(...this.#reader.read(read));
    }
    return summaries;
  };

  documents: EmbeddedBackendReads['documents'] = async (query, now, signal) => {
    const elapsed = () => this.#clock.elapsed();
    if (!isFiltered(query)) {
      const page = this.#reader.read(() => listDocuments(this.#reader, query, now, elapsed));
      if (page !== null) return page;
    }
    return this.#scan('page', signal, (reader, ended) =>
      this.#turns.complete(scanDocuments(reader, query, now, elapsed), ended),
    );
  };

  document: EmbeddedBackendReads['document'] = async (query, now) =>
    this.#reader.read(() => getDocument(this.#reader, query, now));

  missing: EmbeddedBackendReads['missing'] = async (collection, ids) =>
    this.#reader.read(() => ({
      missing: inTime(this.#clock, 'scan', () => missingIds(this.#reader, collection, ids)),
      revision: this.#reader.revision,
    }));

  matchingIds: EmbeddedBackendReads['matchingIds'] = async ({ collection, filter, after }, now, signal) => {
    const query = { ...filter, collection, ...(after === null ? {} : { after }), ...WHOLE_LIST };
    const { documents, next } = await this.documents(query, now, signal);
    return { ids: documents.map(({ _id }) => _id), next };
  };

  explain: EmbeddedBackendReads['explain'] = async (collection, id, now) =>
    this.#reader.read(() => explainExpiry(this.#reader, collection, id, now));

  indexes: EmbeddedBackendReads['indexes'] = async (name, now) =>
    this.#reader.read(() => {
      const collection = this.#reader.collection(name);
      return collection.indexes.map(index => describeIndex(this.#reader, collection, index, now));
    });

  timeline: EmbeddedBackendReads['timeline'] = async (query, now) =>
    this.#reader.read(() => readTimeline(this.#reader, query, now));

  preview: EmbeddedBackendReads['preview'] = async (query, context, signal) => {
    const startedAt = this.#clock.elapsed();
    const fromCounts = this.#reader.read(() => previewFromCounts(this.#reader, query, context));
    if (fromCounts !== null) return { ...fromCounts, elapsedMs: this.#clock.elapsed() - startedAt };
    return this.#scan('preview', signal, async (reader, ended) => {
      const answer = await previewByScan(reader, query, context, {
        turn: {
          next: () => this.#turns.next(),
          isOver: () => this.#turns.isOver(),
          within: work => inTime(this.#clock, 'scan', work),
        },
        signal: ended,
      });
      return { ...answer, elapsedMs: this.#clock.elapsed() - startedAt };
    });
  };

  candidates: EmbeddedBackendReads['candidates'] = (collection, signal) =>
    this.#scan('page', signal, (reader, ended) =>
      this.#turns.complete(findCandidates(reader, collection), ended),
    );

  passes: EmbeddedBackendReads['passes'] = async query =>
    this.#reader.read(() => readPasses(this.#reader, query));

  expired: EmbeddedBackendReads['expired'] = async (query, now) => {
    const expired: ExpiredEntry[] = [];
    let { before } = query;
    for (;;) {
      const rest = { ...query, before, limit: query.limit - expired.length };
      const page = this.#reader.read(() => readExpired(this.#reader, rest, now));
      expired.push(...page.expired);
      if (page.next === null || expired.length >= query.limit) return { expired, next: page.next };
      before = page.next;
      await this.#turns.next();
    }
  };

  changes: EmbeddedBackendReads['changes'] = async query => {
    for (;;) {
      const page = this.#reader.read(() =>
        this.#changes.approach(query.from) ? this.#changes.read(query) : null,
      );
      if (page !== null) return page;
      await this.#turns.next();
    }
  };

  replicaEntries: EmbeddedBackendReads['replicaEntries'] = async (after, limit) =>
    this.#reader.read(() => this.#replica.entries(after, limit));

  replicaSnapshot: EmbeddedBackendReads['replicaSnapshot'] = async (after, limit) =>
    this.#reader.read(() => this.#replica.snapshot(after, limit));

  isInLog: EmbeddedBackendReads['isInLog'] = async collection => {
    let from = 0;
    for (;;) {
      const { isMentioned, next } = this.#reader.read(() => this.#changes.mentions(collection, from));
      if (isMentioned || next === null) return isMentioned;
      from = next;
      await this.#turns.next();
    }
  };

  exportPage: EmbeddedBackendReads['exportPage'] = async (query, now) => {
    // A page ends within its turn. Of pages requested at the same time, each waits for a turn of its own.
    await this.#turns.next();
    return this.#reader.read(() => exportPage(this.#reader, query, now, () => this.#clock.elapsed()));
  };

  policyHistory: EmbeddedBackendReads['policyHistory'] = async (collection, index) =>
    this.#reader.read(() => readPolicyHistory(this.#reader, collection, index));

  droppedIndexes: EmbeddedBackendReads['droppedIndexes'] = async collection =>
    this.#reader.read(() => readDroppedIndexes(this.#reader, collection));

  storage: EmbeddedBackendReads['storage'] = async () => this.#reader.read(() => readStorage(this.#reader));

  series: EmbeddedBackendReads['series'] = async query =>
    this.#reader.read(() => readSeries(this.#reader, query));

  /** Runs a scan on its own connection, since its snapshot stays open over many turns. */
  #scan<Result>(
    kind: ScanKind,
    signal: AbortSignal | undefined,
    work: (reader: ReadConnection, ended: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return this.#turns.run(kind, signal, async () => {
      const scan = await this.#snapshots.start(kind, signal);
      try {
        const reader = new ReadConnection(this.#file);
        try {
          reader.begin();
          return await work(reader, scan.signal);
        } finally {
          reader.close();
        }
      } finally {
        scan.close();
      }
    });
  }

  /** Reads ahead what is asked for when documents expire, one read a step. */
  rehearse(): Generator<void, void> {
    return rehearseReads(this.#reader, this.#changes, () => this.#clock.now());
  }

  /** Returns 0: calls are answered synchronously. */
  readonly waiting = 0;
  answered(): Promise<void> {
    return Promise.resolve();
  }

  /** Calls are answered on the caller's thread. */
  serve: EmbeddedBackendReads['serve'] = port => port.close();
  committed(): void {}

  hasCollection(name: string): boolean {
    return this.#reader.read(() => this.#reader.catalog.collections.has(name));
  }
  /** Throws COLLECTION_NOT_FOUND. */
  checkCollection(name: string): void {
    this.#reader.read(() => this.#reader.collection(name));
  }
  get revision(): number {
    return this.#reader.read(() => this.#reader.revision);
  }
  /** Largest jump of the clock that is followed, ms, as of the last read [R3]. */
  get clockJumpMs(): number {
    return this.#reader.catalog.settings.clockJump * 1_000;
  }

  close: EmbeddedBackendReads['close'] = async () => this.#reader.close();
}

/** Returns whether each document must be examined, which may take long. */
function isFiltered({ cel, filter }: DocumentChoice): boolean {
  return (cel ?? '').trim() !== '' || (filter ?? '').trim() !== '';
}
