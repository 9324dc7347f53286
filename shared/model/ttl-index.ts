/**
 * Words of this file
 *   TTL index   how a document's deadline is computed and what happens then
 *   source      where the reference time comes from, and what is added to it
 *   schedule    when the reaper acts on what is due
 *   governing   the index whose deadline is the document's: the earliest, paused ones last [D9]
 */
import { SandglassError } from './errors.ts';
import { valueAt } from './field-path.ts';
import { LONGEST_NAME } from './names.ts';
import { type ReferenceTime, readReferenceTime, type TimeUnit } from './reference-time.ts';

/** `reference time in a field` + `expireAfter` seconds [D1]. */
export interface FieldSource {
  kind: 'field';
  field: string;
  unit: TimeUnit;
  expireAfter: number;
}
export type TtlSource = FieldSource;

export type OnExpire = { action: 'delete' };

/** `exact` sleeps until the next deadline; `every` looks each `everyMs` [R1]. */
export type Schedule = { mode: 'exact' } | { mode: 'every'; everyMs: number };

/** Who stopped something and since when (epoch ms), shown truthfully wherever it matters [R6]. */
export interface Pause {
  by: string;
  since: number;
}

export interface TtlIndexDefinition {
  name: string;
  source: TtlSource;
  onExpire: OnExpire;
  schedule: Schedule;
}

/** The name that explicit expirations carry wherever an index is named [E1]. */
export const EXPLICIT = 'explicit';

/** The two definitions do the same, whatever they are called (Macrometa's *ensure*). */
export function sameEffect(a: TtlIndexDefinition, b: TtlIndexDefinition): boolean {
  return (
    a.source.field === b.source.field &&
    a.source.unit === b.source.unit &&
    a.source.expireAfter === b.source.expireAfter &&
    a.onExpire.action === b.onExpire.action
  );
}

/** Only what is added to the reference time differs, so no document needs to be read again [D1]. */
export function sameReferenceTimes(a: TtlSource, b: TtlSource): boolean {
  return a.field === b.field && a.unit === b.unit;
}

/** `expireAfter` in whole milliseconds. */
export function expireAfterMs(source: TtlSource): number {
  return Math.round(source.expireAfter * 1000);
}

/** A function that reads one document's reference time under `source`; prepared once, called per document. */
export function referenceTimeReader(source: TtlSource): (document: unknown) => ReferenceTime {
  const path = source.field.split('.');
  const { unit } = source;
  if (path.length === 1) {
    const field = source.field;
    return document =>
      readReferenceTime(
        typeof document === 'object' && document !== null && Object.hasOwn(document, field)
          ? (document as Record<string, unknown>)[field]
          : undefined,
        unit,
      );
  }
  return document => readReferenceTime(valueAt(document, path), unit);
}

/** A name for an index that was given none: `time_30d`. */
export function suggestedName(source: TtlSource, durationText: string): string {
  const field = source.field.toWellFormed().replaceAll(/[\p{Cc}/]/gu, '_');
  const name = `${field}_${durationText.replaceAll(' ', '')}`;
  // Room for the number that tells it from one of that name.
  return [...name].slice(0, LONGEST_NAME - 8).join('');
}

export function noSuchIndex(collection: string, name: string): SandglassError {
  return new SandglassError('TTL_INDEX_NOT_FOUND', `${collection} has no TTL index named ${name}.`, {
    collection,
    index: name,
  });
}
