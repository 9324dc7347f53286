import type { Clock } from '../../platform/clock.ts';
import type { Reads } from '../backend.ts';
import { readSeries } from './metric-series.ts';
import { readDroppedIndexes, readPolicyHistory } from './policy-history.ts';
import { previewByScan } from './preview-by-scan.ts';
import { previewFromCounts } from './preview-from-counts.ts';
import { findCandidates } from './read-candidates.ts';
import { ChangeReader } from './read-changes.ts';
import { getDocument, listDocuments } from './read-documents.ts';
import { explainExpiry } from './read-explanation.ts';
import { exportPage } from './read-export.ts';
import { readExpired, readPasses } from './read-history.ts';
import { readKept } from './read-kept.ts';
import { ReplicaReader } from './read-replica.ts';
import { describeIndex, summarize } from './read-summaries.ts';
import { readTimeline } from './read-timeline.ts';
import { Reader } from './reader.ts';

/** How a list is read whose documents are all to be changed. */
const WHOLE_LIST = { limit: 1_000, sort: '_id', order: 'asc', includeExpired: false } as const;

/** Every read of the embedded store, answered on connections of its own. */
export class EmbeddedReads implements Reads {
  readonly #file: string;
  readonly #reader: Reader;
  readonly #changes: ChangeReader;
  readonly #replica: ReplicaReader;
  readonly #clock: Clock;

  constructor(file: string, clock: Clock) {
    this.#file = file;
    this.#reader = new Reader(file);
    this.#changes = new ChangeReader(this.#reader);
    this.#replica = new ReplicaReader(this.#reader);
    this.#clock = clock;
  }

  summaries: Reads['summaries'] = async (names, now) =>
    this.#reader.read(() => {
      const { collections } = this.#reader.catalog;
      const wanted = names === null ? [...collections.keys()] : names.filter(name => collections.has(name));
      return wanted.map(name => summarize(this.#reader, name, now));
    });

  documents: Reads['documents'] = async (query, now) =>
    this.#reader.read(() => listDocuments(this.#reader, query, now, () => this.#clock.elapsed()));

  document: Reads['document'] = async (collection, id, includeExpired, now) =>
    this.#reader.read(() => getDocument(this.#reader, collection, id, includeExpired, now));

  chosen: Reads['chosen'] = async (collection, filter, after, now) =>
    this.#reader.read(() => {
      const query = { ...filter, collection, ...(after === null ? {} : { after }), ...WHOLE_LIST };
      const { documents, next } = listDocuments(this.#reader, query, now, () => this.#clock.elapsed());
      return { ids: documents.map(({ _id }) => _id), next };
    });

  explain: Reads['explain'] = async (collection, id, now) =>
    this.#reader.read(() => explainExpiry(this.#reader, collection, id, now));

  indexes: Reads['indexes'] = async (name, now) =>
    this.#reader.read(() => {
      const collection = this.#reader.collection(name);
      return collection.indexes.map(index => describeIndex(this.#reader, collection, index, now));
    });

  timeline: Reads['timeline'] = async (query, now) =>
    this.#reader.read(() => readTimeline(this.#reader, query, now));

  preview: Reads['preview'] = async (query, context, signal) => {
    const startedAt = this.#clock.elapsed();
    const fromCounts = this.#reader.read(() => previewFromCounts(this.#reader, query, context));
    if (fromCounts !== null) return { ...fromCounts, elapsedMs: this.#clock.elapsed() - startedAt };
    // A scan keeps its snapshot open over many turns, so it reads on a connection of its own.
    const scanner = new Reader(this.#file);
    try {
      const giveWay = () => new Promise<void>(resolve => setImmediate(resolve));
      const answer = await previewByScan(scanner, query, context, giveWay, signal);
      return { ...answer, elapsedMs: this.#clock.elapsed() - startedAt };
    } finally {
      scanner.close();
    }
  };

  candidates: Reads['candidates'] = async collection =>
    this.#reader.read(() => findCandidates(this.#reader, collection));

  passes: Reads['passes'] = async query => this.#reader.read(() => readPasses(this.#reader, query));

  expired: Reads['expired'] = async (query, now) =>
    this.#reader.read(() => readExpired(this.#reader, query, now));

  changes: Reads['changes'] = async query => this.#reader.read(() => this.#changes.read(query));

  replicaEntries: Reads['replicaEntries'] = async (after, limit) =>
    this.#reader.read(() => this.#replica.entries(after, limit));

  replicaSnapshot: Reads['replicaSnapshot'] = async (after, limit) =>
    this.#reader.read(() => this.#replica.snapshot(after, limit));

  isInLog: Reads['isInLog'] = async collection => this.#reader.read(() => this.#changes.tellsOf(collection));

  exportPage: Reads['exportPage'] = async (query, now) =>
    this.#reader.read(() => exportPage(this.#reader, query, now, () => this.#clock.elapsed()));

  policyHistory: Reads['policyHistory'] = async (collection, index) =>
    this.#reader.read(() => readPolicyHistory(this.#reader, collection, index));

  droppedIndexes: Reads['droppedIndexes'] = async collection =>
    this.#reader.read(() => readDroppedIndexes(this.#reader, collection));

  kept: Reads['kept'] = async () => this.#reader.read(() => readKept(this.#reader));

  series: Reads['series'] = async query => this.#reader.read(() => readSeries(this.#reader, query));

  /** Answered where they are asked. */
  readonly waiting = 0;
  answered(): Promise<void> {
    return Promise.resolve();
  }

  close: Reads['close'] = async () => this.#reader.close();
}
