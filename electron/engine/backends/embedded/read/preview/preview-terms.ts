import type { ByHorizon, Preview } from '../../../../../../shared/contract/ttl-indexes.ts';
import { compileDeadlineExpression } from '../../../../../../shared/model/expressions/deadline-expression.ts';
import { valueAt } from '../../../../../../shared/model/field-path.ts';
import type { ReferenceTime } from '../../../../../../shared/model/reference-time.ts';
import type { TtlSource } from '../../../../../../shared/model/ttl-index.ts';
import { DAY, HOUR } from '../../../../deadline-index/count-levels.ts';

/** Units of every preview, counted or scanned [X3]. */
export const FORECAST_BUCKET_MS = 6 * HOUR;
export const FORECAST_BUCKETS = 120;
export const EXAMPLES = 3;

export type Horizon = Exclude<keyof ByHorizon, 'never'>;
export const HORIZONS: readonly [Horizon, afterMs: number][] = [
  ['dueAtOnce', 0],
  ['nextHour', HOUR],
  ['nextDay', DAY],
  ['nextWeek', 7 * DAY],
  ['later', Number.POSITIVE_INFINITY],
];

export function horizonOf(aheadMs: number): Horizon {
  return HORIZONS.find(([, afterMs]) => aheadMs <= afterMs)?.[0] ?? 'later';
}

/** Paths of the fields that a source reads, in the order of its text. */
export function fieldsOf(source: TtlSource): readonly (readonly string[])[] {
  switch (source.kind) {
    case 'field':
      return [source.field, source.expireAfterField ?? []].flat().map(field => field.split('.'));
    case 'lastModified':
      return [];
    case 'expression':
      return compileDeadlineExpression(source.expression).fields;
  }
}

/** A document with the values of `fields`, and the deadline that they give. */
export function toSample(
  { id, document }: { id: string; document: unknown },
  fields: readonly (readonly string[])[],
  reference: ReferenceTime,
  addMs: number,
): Preview['samples'][number] {
  const reads = fields.map(path => ({ field: path.join('.'), value: valueAt(document, path) }));
  return {
    _id: id,
    value: reads[0]?.value,
    reads,
    referenceAt: 'at' in reference ? reference.at : null,
    deadlineAt: 'at' in reference ? reference.at + addMs : null,
    reason: 'at' in reference ? null : reference.reason,
  };
}

/** Returns up to three samples: the first of each kind, then the next ones. A sample in two lists is returned once. */
export function chooseSamples<Sample extends { row: number }>(
  ...kinds: readonly (readonly Sample[])[]
): Sample[] {
  const firsts = kinds.flatMap(kind => kind.slice(0, 1));
  const others = kinds.flatMap(kind => kind.slice(1));
  const byRow = new Map([...firsts, ...others].map(sample => [sample.row, sample]));
  return [...byRow.values()].slice(0, EXAMPLES);
}

export function empty(): ByHorizon {
  return { dueAtOnce: 0, nextHour: 0, nextDay: 0, nextWeek: 0, later: 0, never: 0 };
}

export function withoutNever({ never: _, ...counts }: ByHorizon): Omit<ByHorizon, 'never'> {
  return counts;
}

export function drainMs(documents: number, rate: number | null): number | null {
  if (documents === 0) return 0;
  return rate === null ? null : (documents / rate) * 1000;
}
