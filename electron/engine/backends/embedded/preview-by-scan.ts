import type { Preview } from '../../../../shared/contract/ttl-indexes.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import { compileDeadlineExpression } from '../../../../shared/model/expression.ts';
import { parseJson } from '../../../../shared/model/json.ts';
import type { NeverReason, ReferenceTime } from '../../../../shared/model/reference-time.ts';
import { referenceTimeReader } from '../../../../shared/model/reference-time-reader.ts';
import { expireAfterMs, type TtlSource } from '../../../../shared/model/ttl-index.ts';
import { NEVER } from '../../expiry/deadline.ts';
import type { PreviewContext, PreviewQuery } from '../backend.ts';
import type { CatalogCollection, CatalogIndex } from './catalog.ts';
import { ROW, type StoredRow, storedDeadline } from './collection-writer.ts';
import {
  chooseSamples,
  drainMs,
  EXAMPLES,
  empty,
  FORECAST_BUCKET_MS,
  FORECAST_BUCKETS,
  horizonOf,
  toSample,
  valueIn,
  withoutNever,
} from './preview-terms.ts';
import { findIndex, sum } from './read-summaries.ts';
import type { Reader } from './reader.ts';

/** At once in memory: few, for a document may be 16 MiB. */
const ROWS_A_READ = 32;
/** Others come in between after so much was read. */
const ROWS_BEFORE_GIVING_WAY = 2_000;
const CHARACTERS_BEFORE_GIVING_WAY = 1024 * 1024;

/** How a scanned document's deadline is found, explicit expirations included. */
interface ScanRule {
  kind: Preview['kind'];
  addMs: number;
  read(stored: StoredRow, document: unknown): ReferenceTime;
  /** What there is to say of a document without a deadline [D8]. */
  problemOf(document: unknown, updatedAt: number): string | null;
  valueOf(document: unknown): unknown;
}

/** A new index, acting alone: what was set by hand outranks it. */
function ruleOfNewIndex(source: TtlSource): ScanRule {
  const read = referenceTimeReader(source);
  const expression = source.kind === 'expression' ? compileDeadlineExpression(source.expression) : null;
  return {
    kind: 'create',
    addMs: expireAfterMs(source),
    read: ({ updatedAt, explicitAt }, document) =>
      explicitAt === null
        ? read(document, updatedAt)
        : { reason: explicitAt === NEVER ? 'pinned' : 'set by hand' },
    problemOf: expression === null ? () => null : (document, at) => expression.problem(document, at),
    valueOf: document => valueIn(source, document),
  };
}

/** Without an index: what is left is what the others, and what was set by hand, make due. */
function ruleWithoutIndex(
  { quarantine }: Reader,
  collection: CatalogCollection,
  dropped: CatalogIndex,
): ScanRule {
  const rest = collection.indexes.filter(index => index !== dropped);
  return {
    kind: 'drop',
    addMs: 0,
    read(stored, document) {
      const out = quarantine.sourcesOf(collection.id, stored.row);
      const deadline = storedDeadline(stored, document, rest, out);
      if (deadline.kind === 'pinned') return { reason: 'pinned' };
      if (deadline.kind !== 'none') return { at: deadline.at };
      const isGivenUp = [...out].some(source => source !== dropped.id);
      return { reason: isGivenUp ? 'quarantined' : 'no TTL index' };
    },
    problemOf: () => null,
    valueOf: document => valueIn(dropped.definition.source, document),
  };
}

/**
 * A new or a dropped index: every document is read on one snapshot, giving way to other work in between. Rejects
 * with CANCELLED when the signal aborts. The reader must be one of its own: its snapshot stays open meanwhile.
 */
export async function previewByScan(
  reader: Reader,
  query: PreviewQuery,
  { now, drainRate }: PreviewContext,
  giveWay: () => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<Omit<Preview, 'elapsedMs'>> {
  reader.begin();
  try {
    const collection = reader.collection(query.collection);
    const scan = new Scan(ruleOf(reader, collection, query), now);
    const dead = reader.dead.of(collection.id);
    const rows = reader.db.prepare<[number, number], StoredRow>(
      `SELECT ${ROW} FROM documents_${collection.id} WHERE row > ? ORDER BY row LIMIT ?`,
    );
    let cursor = 0;
    let readRows = 0;
    let readCharacters = 0;
    for (;;) {
      const read = rows.all(cursor, ROWS_A_READ);
      for (const stored of read) {
        readCharacters += stored.body.length;
        if (!dead.has(stored.row)) scan.take(stored);
      }
      cursor = read.at(-1)?.row ?? cursor;
      if (read.length < ROWS_A_READ) break;
      readRows += read.length;
      if (readRows < ROWS_BEFORE_GIVING_WAY && readCharacters < CHARACTERS_BEFORE_GIVING_WAY) continue;
      readRows = 0;
      readCharacters = 0;
      await giveWay();
      if (signal?.aborted === true) throw new SandglassError('CANCELLED', 'The preview was cancelled.');
    }
    return scan.answer(reader.revision, drainRate);
  } finally {
    reader.end();
  }
}

function ruleOf(
  reader: Reader,
  collection: CatalogCollection,
  { name, source, drop }: PreviewQuery,
): ScanRule {
  if (drop === true) return ruleWithoutIndex(reader, collection, findIndex(collection, name ?? ''));
  if (source !== undefined) return ruleOfNewIndex(source);
  throw new SandglassError(
    'BAD_REQUEST',
    'A preview needs a source, or the name of an index and drop: true.',
  );
}

/** Due at once, later, or never. */
type SampleKind = 'past' | 'future' | 'never';
interface RowSample {
  row: number;
  sample: Preview['samples'][number];
}

/** What a scan adds up, a document at a time. */
class Scan {
  readonly #rule: ScanRule;
  readonly #now: number;
  readonly #counts = empty();
  readonly #bytes = empty();
  readonly #reasons = new Map<NeverReason, Preview['never']['reasons'][number]>();
  readonly #forecast = new Array<number>(FORECAST_BUCKETS).fill(0);
  readonly #samples: Record<SampleKind, RowSample[]> = { past: [], future: [], never: [] };
  #documents = 0;
  #next: number | null = null;

  constructor(rule: ScanRule, now: number) {
    this.#rule = rule;
    this.#now = now;
  }

  take(stored: StoredRow): void {
    const { body } = stored;
    this.#documents += 1;
    const bytes = Buffer.byteLength(body);
    const document = parseJson(body);
    const reference = this.#rule.read(stored, document);
    if (!('at' in reference)) {
      this.#takeNever(reference.reason, stored, document, bytes);
      this.#sample('never', stored, document, reference);
      return;
    }
    const at = reference.at + this.#rule.addMs;
    const ahead = at - this.#now;
    const horizon = horizonOf(ahead);
    this.#counts[horizon] += 1;
    this.#bytes[horizon] += bytes;
    this.#sample(ahead <= 0 ? 'past' : 'future', stored, document, reference);
    if (ahead <= 0) return;
    if (this.#next === null || at < this.#next) this.#next = at;
    const bucket = Math.floor((ahead - 1) / FORECAST_BUCKET_MS);
    if (bucket < FORECAST_BUCKETS) this.#forecast[bucket] = (this.#forecast[bucket] ?? 0) + 1;
  }

  answer(revision: number, drainRate: number | null): Omit<Preview, 'elapsedMs'> {
    const reasons = [...this.#reasons.values()].sort((a, b) => b.count - a.count);
    return {
      revision,
      at: this.#now,
      kind: this.#rule.kind,
      documents: this.#documents,
      ...withoutNever(this.#counts),
      never: { count: sum(reasons.map(({ count }) => count)), reasons },
      bytes: this.#bytes,
      drainMs: drainMs(this.#counts.dueAtOnce, drainRate),
      nextDeadlineAt: this.#next,
      forecast: { bucketMs: FORECAST_BUCKET_MS, due: this.#forecast },
      samples: chooseSamples(this.#samples.past, this.#samples.future, this.#samples.never).map(
        ({ sample }) => sample,
      ),
    };
  }

  #takeNever(reason: NeverReason, { id, updatedAt }: StoredRow, document: unknown, bytes: number): void {
    this.#bytes.never += bytes;
    const known = this.#reasons.get(reason);
    if (known !== undefined) {
      known.count += 1;
      if (known.examples.length < EXAMPLES) known.examples.push(id);
      return;
    }
    const isOutranked = reason === 'pinned' || reason === 'set by hand';
    const message = isOutranked ? null : this.#rule.problemOf(document, updatedAt);
    this.#reasons.set(reason, { reason, count: 1, examples: [id], ...(message === null ? {} : { message }) });
  }

  #sample(kind: SampleKind, { row, id }: StoredRow, document: unknown, reference: ReferenceTime): void {
    const known = this.#samples[kind];
    if (known.length === EXAMPLES) return;
    known.push({ row, sample: toSample(id, this.#rule.valueOf(document), reference, this.#rule.addMs) });
  }
}
