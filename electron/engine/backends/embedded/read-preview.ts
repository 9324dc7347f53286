import type { ByHorizon, Preview } from '../../../../shared/contract/ttl-indexes.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import { compileDeadlineExpression } from '../../../../shared/model/expression.ts';
import { valueAt } from '../../../../shared/model/field-path.ts';
import { parseJson } from '../../../../shared/model/json.ts';
import type { NeverReason, ReferenceTime } from '../../../../shared/model/reference-time.ts';
import { referenceTimeReader } from '../../../../shared/model/reference-time-reader.ts';
import { expireAfterMs, sameReferenceTimes, type TtlSource } from '../../../../shared/model/ttl-index.ts';
import { NEVER } from '../../expiry/deadline.ts';
import type { PreviewContext, PreviewQuery } from '../backend.ts';
import type { CatalogCollection, CatalogIndex } from './catalog.ts';
import { ROW, type StoredRow, storedDeadline } from './collection-writer.ts';
import { DAY, HOUR } from './levels.ts';
import { findIndex, neverReasons, sum } from './read-summaries.ts';
import type { Reader } from './reader.ts';
import { encodeReason } from './side-entry.ts';

const FORECAST_BUCKET_MS = 6 * HOUR;
const FORECAST_BUCKETS = 120;
const EXAMPLES = 3;
/** At once in memory: few, for a document may be 16 MiB. */
const ROWS_A_READ = 32;
/** Others come in between after so much was read. */
const ROWS_BEFORE_GIVING_WAY = 2_000;
const CHARACTERS_BEFORE_GIVING_WAY = 1024 * 1024;

type Horizon = Exclude<keyof ByHorizon, 'never'>;
const HORIZONS: readonly [Horizon, afterMs: number][] = [
  ['dueAtOnce', 0],
  ['nextHour', HOUR],
  ['nextDay', DAY],
  ['nextWeek', 7 * DAY],
  ['later', Number.POSITIVE_INFINITY],
];

function horizonOf(aheadMs: number): Horizon {
  return HORIZONS.find(([, afterMs]) => aheadMs <= afterMs)?.[0] ?? 'later';
}

/** A change of what is added is answered from the counts, whatever the size [X3]. Null: it must be scanned. */
export function previewFromCounts(
  reader: Reader,
  query: PreviewQuery,
  context: PreviewContext,
): Omit<Preview, 'elapsedMs'> | null {
  const collection = reader.collection(query.collection);
  const index = collection.indexes.find(candidate => candidate.name === query.name);
  if (query.drop === true || index === undefined || !index.isReady) return null;
  const { source } = query;
  if (source === undefined || !sameReferenceTimes(index.definition.source, source)) return null;
  return previewOfChange(reader, collection, index, source, context);
}

function previewOfChange(
  reader: Reader,
  collection: CatalogCollection,
  index: CatalogIndex,
  source: TtlSource,
  { now, drainRate }: PreviewContext,
): Omit<Preview, 'elapsedMs'> {
  const side = reader.table(index.side);
  const addMs = expireAfterMs(source);
  const counts = empty();
  const bytes = empty();
  let below = { documents: 0, bytes: 0 };
  for (const [horizon, afterMs] of HORIZONS) {
    const upTo = afterMs === Number.POSITIVE_INFINITY ? side.total() : side.before(now - addMs + afterMs + 1);
    counts[horizon] = upTo.documents - below.documents;
    bytes[horizon] = upTo.bytes - below.bytes;
    below = upTo;
  }
  const due = side.histogram(now + 1 - addMs, FORECAST_BUCKET_MS, FORECAST_BUCKETS);
  let next = side.first(now - addMs + 1);
  bytes.never = Math.max(0, collection.bytes - below.bytes);
  // A changed index looks anew at what it had given up on [A5].
  const released = reader.quarantine.ofSource(collection.id, index.id);
  for (const { row, reference } of released) {
    const size = side.bytesOf(encodeReason('quarantined'), row) ?? 0;
    const ahead = reference + addMs - now;
    const horizon = horizonOf(ahead);
    counts[horizon] += 1;
    bytes[horizon] += size;
    bytes.never -= size;
    if (ahead <= 0) continue;
    if (next === null || reference < next) next = reference;
    const bucket = Math.floor((ahead - 1) / FORECAST_BUCKET_MS);
    if (bucket < FORECAST_BUCKETS) due[bucket] = (due[bucket] ?? 0) + 1;
  }
  const reasons = neverReasons(reader, collection, index).filter(({ reason }) => reason !== 'quarantined');
  return {
    revision: reader.revision,
    at: now,
    kind: 'change',
    documents: collection.documents,
    ...withoutNever(counts),
    never: { count: sum(reasons.map(({ count }) => count)), reasons },
    bytes,
    drainMs: drainMs(counts.dueAtOnce, drainRate),
    nextDeadlineAt: next === null ? null : next + addMs,
    forecast: { bucketMs: FORECAST_BUCKET_MS, due },
    samples: samplesFromIndex(reader, collection, index, source, now),
  };
}

function samplesFromIndex(
  reader: Reader,
  collection: CatalogCollection,
  index: CatalogIndex,
  source: TtlSource,
  now: number,
): Preview['samples'] {
  const side = reader.table(index.side);
  const addMs = expireAfterMs(source);
  const everything = Number.MAX_SAFE_INTEGER;
  const rows = [
    ...side.entries(0, now - addMs + 1, null, 1),
    ...side.entries(Math.max(0, now - addMs + 1), everything, null, 2),
    ...side
      .reasons()
      .slice(0, 1)
      .flatMap(({ reason }) => side.entriesOfReason(reason, null, 1)),
  ].slice(0, EXAMPLES);
  const read = reader.db.prepare<[number], { id: string; updatedAt: number; body: string }>(
    `SELECT id, updated_at AS updatedAt, body FROM documents_${collection.id} WHERE row = ?`,
  );
  return rows.flatMap(({ row }) => {
    const stored = read.get(row);
    if (stored === undefined) return [];
    const document = parseJson(stored.body);
    return [toSample(stored.id, valueIn(source, document), index.read(document, stored.updatedAt), addMs)];
  });
}

function toSample(
  id: string,
  value: unknown,
  reference: ReferenceTime,
  addMs: number,
): Preview['samples'][number] {
  return {
    _id: id,
    value,
    deadlineAt: 'at' in reference ? reference.at + addMs : null,
    reason: 'at' in reference ? null : reference.reason,
  };
}

/** What a person should see of a document beside its deadline: the field it is read from. */
function valueIn(source: TtlSource, document: unknown): unknown {
  return source.kind === 'field' ? valueAt(document, source.field.split('.')) : undefined;
}

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

/** What a scan adds up, a document at a time. */
class Scan {
  readonly #rule: ScanRule;
  readonly #now: number;
  readonly #counts = empty();
  readonly #bytes = empty();
  readonly #reasons = new Map<NeverReason, Preview['never']['reasons'][number]>();
  readonly #forecast = new Array<number>(FORECAST_BUCKETS).fill(0);
  readonly #samples = new Map<string, Preview['samples'][number]>();
  #documents = 0;
  #next: number | null = null;

  constructor(rule: ScanRule, now: number) {
    this.#rule = rule;
    this.#now = now;
  }

  take(stored: StoredRow): void {
    const { id, body } = stored;
    this.#documents += 1;
    const bytes = Buffer.byteLength(body);
    const document = parseJson(body);
    const reference = this.#rule.read(stored, document);
    if (!('at' in reference)) {
      this.#takeNever(reference.reason, stored, document, bytes);
      this.#sample('never', id, document, reference);
      return;
    }
    const at = reference.at + this.#rule.addMs;
    const ahead = at - this.#now;
    const horizon = horizonOf(ahead);
    this.#counts[horizon] += 1;
    this.#bytes[horizon] += bytes;
    this.#sample(ahead <= 0 ? 'past' : 'future', id, document, reference);
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
      samples: [...this.#samples.values()].slice(0, EXAMPLES),
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

  /** One document of each kind that turns up: one due at once, one later, one never. */
  #sample(kind: 'past' | 'future' | 'never', id: string, document: unknown, reference: ReferenceTime): void {
    if (this.#samples.has(kind)) return;
    this.#samples.set(kind, toSample(id, this.#rule.valueOf(document), reference, this.#rule.addMs));
  }
}

function empty(): ByHorizon {
  return { dueAtOnce: 0, nextHour: 0, nextDay: 0, nextWeek: 0, later: 0, never: 0 };
}

function withoutNever({ never: _, ...counts }: ByHorizon): Omit<ByHorizon, 'never'> {
  return counts;
}

function drainMs(documents: number, rate: number | null): number | null {
  if (documents === 0) return 0;
  return rate === null ? null : (documents / rate) * 1000;
}
