/**
 * Words of this file
 *   TTL index   how a document's deadline is computed, and what happens then
 *   source      origin of the reference time, and the duration added to it
 *   schedule    when the reaper acts on due documents
 *   limits      how fast it may act
 *   retention   how long a restorable copy of an expired document is kept
 *   governing   the index whose deadline the document has: the earliest, paused ones last [D9]
 */
import type { DateFormats } from './dates/format-list.ts';
import { SandglassError } from './errors.ts';
import { type JsonObject, stringifyJson } from './json/json.ts';
import { LONGEST_NAME } from './names.ts';
import type { TimeUnit } from './reference-time.ts';

/** Settings with which the values of a field are read as instants [D3, D4]. */
interface FieldReading {
  field: string;
  unit: TimeUnit;
  /** Formats of date strings; absent: ISO 8601. */
  formats?: DateFormats['formats'] | undefined;
  /** The zone of date strings without an offset, only with formats; absent: UTC. */
  zone?: string | undefined;
}

/** `reference time in a field` + `expireAfter` seconds [D1]. */
export interface FieldSource extends FieldReading {
  kind: 'field';
  expireAfter: number;
  expireAfterField?: undefined;
}
/** `reference time in a field` + the seconds in another field of the document [D2]. */
export interface OwnTtlSource extends FieldReading {
  kind: 'field';
  expireAfterField: string;
  expireAfter?: undefined;
}
/** `updatedAt` + `expireAfter` seconds: every write of the document extends it [D7]. */
export interface LastModifiedSource {
  kind: 'lastModified';
  expireAfter: number;
}
/** The value of a CEL expression over `doc` and `updatedAt` [D8]. */
export interface ExpressionSource {
  kind: 'expression';
  expression: string;
}
export type TtlSource = FieldSource | OwnTtlSource | LastModifiedSource | ExpressionSource;

/** Action at the deadline [A1 to A4]. */
export type OnExpire =
  | { action: 'delete' }
  | { action: 'patch'; patch: JsonObject }
  | { action: 'replace'; expression: string }
  | { action: 'move'; to: string };
export type ExpireAction = OnExpire['action'];

/**
 * Returns whether a due document is hidden: true for actions that remove it; the others change it, and it stays
 * visible [V1].
 */
export function hides({ action }: OnExpire): boolean {
  return action === 'delete' || action === 'move';
}

/**
 * When the reaper acts on due documents [R1]. `exact`: at each deadline. `every`: each `everyMs`. `cron`: at the
 * times of a crontab line. `observe`: never; the index counts and hides nothing.
 */
export type Schedule =
  | { mode: 'exact' }
  | { mode: 'every'; everyMs: number }
  | { mode: 'cron'; cron: string; timeZone: string }
  | { mode: 'observe' };

/** Limits of an index's rate of removal; an absent limit has the store's default [R3]. */
export interface Limits {
  /** Documents per second; 0: unlimited. */
  removalsPerSecond?: number | undefined;
  /** Longest time that one batch holds the writer. */
  batchMs?: number | undefined;
  /** Documents in one batch; 0: as many as its time allows. */
  batchSize?: number | undefined;
}

/** The user who paused, and the instant (epoch ms) [R6]. */
export interface Pause {
  by: string;
  since: number;
}

export interface TtlIndexDefinition {
  name: string;
  source: TtlSource;
  onExpire: OnExpire;
  schedule: Schedule;
  limits: Limits;
  /** Time for which documents removed by the index can be restored [X4], s; null: the store's default. */
  retention: number | null;
}

/** The name of explicit expirations in place of an index name [E1]. */
export const EXPLICIT = 'explicit';

/** Returns whether two definitions have the same effect, under any names (Macrometa's *ensure*). */
export function sameEffect(a: TtlIndexDefinition, b: TtlIndexDefinition): boolean {
  return (
    sameReferenceTimes(a.source, b.source) &&
    expireAfterMs(a.source) === expireAfterMs(b.source) &&
    stringifyJson(a.onExpire) === stringifyJson(b.onExpire)
  );
}

/** Returns whether two definitions remove documents alike; their limits and retention may differ. */
export function actAlike(a: TtlIndexDefinition, b: TtlIndexDefinition): boolean {
  return sameEffect(a, b) && sameSchedule(a, b);
}

export function sameSchedule(a: TtlIndexDefinition, b: TtlIndexDefinition): boolean {
  return stringifyJson(a.schedule) === stringifyJson(b.schedule);
}

/** Returns whether two sources differ at most in the duration, so that no document needs to be read again [D1]. */
export function sameReferenceTimes(a: TtlSource, b: TtlSource): boolean {
  return JSON.stringify(reading(a)) === JSON.stringify(reading(b));
}

/** Returns the parts of a source that determine how a document is read. */
function reading(source: TtlSource): readonly unknown[] {
  switch (source.kind) {
    case 'field':
      return [
        'field',
        source.field,
        source.unit,
        source.expireAfterField ?? null,
        source.formats ?? null,
        source.formats === undefined ? null : (source.zone ?? 'UTC'),
      ];
    case 'lastModified':
      return ['lastModified'];
    case 'expression':
      return ['expression', source.expression];
  }
}

/** Returns the duration added to every reference time, in whole ms; 0 if each document has its own. */
export function expireAfterMs(source: TtlSource): number {
  return Math.round(expireAfterOf(source) * 1000);
}

/** Returns the duration added to every reference time, s; 0 if each document has its own. */
export function expireAfterOf(source: TtlSource): number {
  return source.kind === 'expression' ? 0 : (source.expireAfter ?? 0);
}

/** Returns the source with another duration; unchanged if it has none. */
export function withExpireAfter(source: TtlSource, expireAfter: number): TtlSource {
  return source.kind === 'expression' || source.expireAfter === undefined
    ? source
    : { ...source, expireAfter };
}

/** Returns the origin of the time as part of a sentence: `expires`, `the last write`, `its expression`. */
export function formatSource(source: TtlSource): string {
  switch (source.kind) {
    case 'field':
      return source.field;
    case 'lastModified':
      return 'the last write';
    case 'expression':
      return 'its expression';
  }
}

/**
 * Returns how text in the field is read, as part of a sentence: `read as yyyy.MM.dd in UTC`; null: as ISO 8601, or no
 * text is read.
 */
export function formatReading(source: TtlSource): string | null {
  if (source.kind !== 'field' || source.formats === undefined) return null;
  return `read as ${source.formats.join(' or ')} in ${source.zone ?? 'UTC'}`;
}

/** Returns the default name of an index: `time_30d`. */
export function suggestedName(source: TtlSource, duration: string): string {
  const field = (source.kind === 'field' ? source.field : source.kind)
    .toWellFormed()
    .replaceAll(/[\p{Cc}/]/gu, '_');
  const suffix =
    source.kind === 'expression' ? '' : `_${source.expireAfter === undefined ? 'own' : duration}`;
  const name = `${field}${suffix.replaceAll(' ', '')}`;
  // Leaves space for the number that makes the name unique.
  return [...name].slice(0, LONGEST_NAME - 8).join('');
}

export function noSuchIndex(collection: string, name: string): SandglassError {
  return new SandglassError('TTL_INDEX_NOT_FOUND', `${collection} has no TTL index named ${name}.`, {
    collection,
    index: name,
  });
}
