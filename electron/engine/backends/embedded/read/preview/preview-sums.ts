import type { Preview } from '../../../../../../shared/contract/ttl-indexes.ts';
import {
  isUnreadable,
  type NeverReason,
  type ReferenceTime,
} from '../../../../../../shared/model/reference-time.ts';
import { bodyBytes, readBody } from '../../tables/documents/stored-json.ts';
import type { StoredRow } from '../../tables/documents/stored-row.ts';
import { sum } from '../read-summaries.ts';
import type { ScanRule } from './preview-rules.ts';
import {
  chooseSamples,
  drainMs,
  EXAMPLES,
  empty,
  FORECAST_BUCKET_MS,
  FORECAST_BUCKETS,
  HORIZONS,
  horizonOf,
  toSample,
  withoutNever,
} from './preview-terms.ts';
import { UnreadableValues } from './unreadable-values.ts';

/** Due at once, later, or never. */
type SampleKind = 'past' | 'future' | 'never';
interface RowSample {
  row: number;
  sample: Preview['samples'][number];
}

/** Sums of a scan, one document at a time, in row order. */
export class PreviewSums {
  readonly #rule: ScanRule;
  readonly #now: number;
  readonly #counts = empty();
  readonly #bytes = empty();
  readonly #reasons = new Map<NeverReason, Preview['never']['reasons'][number]>();
  readonly #forecast = new Array<number>(FORECAST_BUCKETS).fill(0);
  readonly #samples: Record<SampleKind, RowSample[]> = { past: [], future: [], never: [] };
  readonly #unreadable: UnreadableValues;
  #documents = 0;
  #next: number | null = null;

  constructor(rule: ScanRule, now: number) {
    this.#rule = rule;
    this.#now = now;
    this.#unreadable = new UnreadableValues(rule.fields);
  }

  read(stored: StoredRow): void {
    const { body } = stored;
    const bytes = bodyBytes(body);
    const document = readBody(body);
    const reference = this.#rule.read(stored, document);
    if (!('at' in reference)) this.#addExample(reference.reason, stored, document);
    this.#count(reference, bytes, document);
    this.#sample(this.#kindOf(reference), stored, document, reference);
  }

  /**
   * Counts a document from its deadline and size. Returns false if it is needed as an example and must be read in full.
   */
  count(reference: ReferenceTime, bytes: number, document: unknown): boolean {
    if (this.#samples[this.#kindOf(reference)].length < EXAMPLES) return false;
    if (!('at' in reference)) {
      const known = this.#reasons.get(reference.reason);
      if (known === undefined || known.examples.length < EXAMPLES) return false;
    }
    this.#count(reference, bytes, document);
    return true;
  }

  #kindOf(reference: ReferenceTime): SampleKind {
    if (!('at' in reference)) return 'never';
    return reference.at + this.#rule.addMs <= this.#now ? 'past' : 'future';
  }

  #count(reference: ReferenceTime, bytes: number, document: unknown): void {
    this.#documents += 1;
    if (!('at' in reference)) {
      if (isUnreadable(reference.reason)) this.#unreadable.add(document, reference.reason);
      this.#bytes.never += bytes;
      const known = this.#reasons.get(reference.reason);
      if (known !== undefined) known.count += 1;
      return;
    }
    const at = reference.at + this.#rule.addMs;
    const ahead = at - this.#now;
    const horizon = horizonOf(ahead);
    this.#counts[horizon] += 1;
    this.#bytes[horizon] += bytes;
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
      unreadable: this.#unreadable.answer(this.#formats()),
    };
  }

  /**
   * Returns the formats that a proposal with a further format repeats: those that read other documents of the
   * collection.
   */
  #formats(): readonly string[] | null {
    const { formats } = this.#rule;
    return formats === null || HORIZONS.some(([horizon]) => this.#counts[horizon] > 0) ? formats : [];
  }

  #addExample(reason: NeverReason, { id, updatedAt }: StoredRow, document: unknown): void {
    const known = this.#reasons.get(reason);
    if (known !== undefined) {
      if (known.examples.length < EXAMPLES) known.examples.push(id);
      return;
    }
    const isOutranked = reason === 'pinned' || reason === 'set by hand';
    const message = isOutranked ? null : this.#rule.problemOf(document, updatedAt);
    this.#reasons.set(reason, { reason, count: 0, examples: [id], ...(message === null ? {} : { message }) });
  }

  #sample(kind: SampleKind, { row, id }: StoredRow, document: unknown, reference: ReferenceTime): void {
    const known = this.#samples[kind];
    if (known.length === EXAMPLES) return;
    known.push({ row, sample: toSample({ id, document }, this.#rule.fields, reference, this.#rule.addMs) });
  }
}
