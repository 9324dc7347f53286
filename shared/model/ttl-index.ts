/**
 * Words of this file
 *   TTL index   how a document's deadline is computed and what happens then
 *   source      where the reference time comes from, and what is added to it
 *   schedule    when the reaper acts on what is due
 *   limits      how fast it may act
 *   retention   how long a restorable copy of what expired is kept
 *   governing   the index whose deadline is the document's: the earliest, paused ones last [D9]
 */
import { SandglassError } from './errors.ts';
import { type JsonObject, stringifyJson } from './json/json.ts';
import { LONGEST_NAME } from './names.ts';
import type { TimeUnit } from './reference-time.ts';

/** `reference time in a field` + `expireAfter` seconds [D1]. */
export interface FieldSource {
  kind: 'field';
  field: string;
  unit: TimeUnit;
  expireAfter: number;
  expireAfterField?: undefined;
}
/** `reference time in a field` + as many seconds as another field of the document says [D2]. */
export interface OwnTtlSource {
  kind: 'field';
  field: string;
  unit: TimeUnit;
  expireAfterField: string;
  expireAfter?: undefined;
}
/** `updatedAt` + `expireAfter` seconds: every write of the document puts it off [D7]. */
export interface LastModifiedSource {
  kind: 'lastModified';
  expireAfter: number;
}
/** What a CEL expression over `doc` and `updatedAt` gives [D8]. */
export interface ExpressionSource {
  kind: 'expression';
  expression: string;
}
export type TtlSource = FieldSource | OwnTtlSource | LastModifiedSource | ExpressionSource;

/** What happens at the deadline [A1 to A4]. */
export type OnExpire =
  | { action: 'delete' }
  | { action: 'patch'; patch: JsonObject }
  | { action: 'replace'; expression: string }
  | { action: 'move'; to: string };
export type ExpireAction = OnExpire['action'];

/** Due for one of these, a document is hidden from its deadline on; the others change it and it stays visible [V1]. */
export function hides({ action }: OnExpire): boolean {
  return action === 'delete' || action === 'move';
}

/**
 * When the reaper acts on what is due [R1]. `exact` sleeps until the next deadline; `every` looks each `everyMs`;
 * `cron` at the times of a crontab line; `observe` never: it counts, hides nothing and does nothing.
 */
export type Schedule =
  | { mode: 'exact' }
  | { mode: 'every'; everyMs: number }
  | { mode: 'cron'; cron: string; timeZone: string }
  | { mode: 'observe' };

/** How fast an index may act; what is absent follows the store's default [R3]. */
export interface Limits {
  /** Documents a second; 0: as fast as it goes. */
  removalsPerSecond?: number | undefined;
  /** How long one batch may hold the writer. */
  batchMs?: number | undefined;
  /** Documents in one batch; 0: as many as its time allows. */
  batchSize?: number | undefined;
}

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
  limits: Limits;
  /** Seconds that what it removes can be restored [X4]; null: the store's default. */
  retention: number | null;
}

/** The name that explicit expirations carry wherever an index is named [E1]. */
export const EXPLICIT = 'explicit';

/** The two definitions do the same, whatever they are called (Macrometa's *ensure*). */
export function sameEffect(a: TtlIndexDefinition, b: TtlIndexDefinition): boolean {
  return (
    sameReferenceTimes(a.source, b.source) &&
    expireAfterMs(a.source) === expireAfterMs(b.source) &&
    stringifyJson(a.onExpire) === stringifyJson(b.onExpire)
  );
}

/** The two definitions act alike; how fast, and how long what they removed is kept, may differ. */
export function actAlike(a: TtlIndexDefinition, b: TtlIndexDefinition): boolean {
  return sameEffect(a, b) && sameSchedule(a, b);
}

export function sameSchedule(a: TtlIndexDefinition, b: TtlIndexDefinition): boolean {
  return stringifyJson(a.schedule) === stringifyJson(b.schedule);
}

/** Only what is added to the reference time differs, so no document needs to be read again [D1]. */
export function sameReferenceTimes(a: TtlSource, b: TtlSource): boolean {
  return JSON.stringify(reading(a)) === JSON.stringify(reading(b));
}

/** All of a source that decides how a document is read. */
function reading(source: TtlSource): readonly unknown[] {
  switch (source.kind) {
    case 'field':
      return ['field', source.field, source.unit, source.expireAfterField ?? null];
    case 'lastModified':
      return ['lastModified'];
    case 'expression':
      return ['expression', source.expression];
  }
}

/** What is added to every reference time, in whole milliseconds; 0 where each document brings its own. */
export function expireAfterMs(source: TtlSource): number {
  return Math.round(expireAfterOf(source) * 1000);
}

/** Seconds that are added to every reference time; 0 where each document brings its own. */
export function expireAfterOf(source: TtlSource): number {
  return source.kind === 'expression' ? 0 : (source.expireAfter ?? 0);
}

/** The same source with another duration; unchanged where it has none. */
export function withExpireAfter(source: TtlSource, expireAfter: number): TtlSource {
  return source.kind === 'expression' || source.expireAfter === undefined
    ? source
    : { ...source, expireAfter };
}

/** Where its time comes from, for a sentence: `expires`, `the last write`, `its expression`. */
export function sourceInWords(source: TtlSource): string {
  switch (source.kind) {
    case 'field':
      return source.field;
    case 'lastModified':
      return 'the last write';
    case 'expression':
      return 'its expression';
  }
}

/** A name for an index that was given none: `time_30d`. */
export function suggestedName(source: TtlSource, durationText: string): string {
  const field = (source.kind === 'field' ? source.field : source.kind)
    .toWellFormed()
    .replaceAll(/[\p{Cc}/]/gu, '_');
  const duration =
    source.kind === 'expression' ? '' : `_${source.expireAfter === undefined ? 'own' : durationText}`;
  const name = `${field}${duration.replaceAll(' ', '')}`;
  // Room for the number that tells it from one of that name.
  return [...name].slice(0, LONGEST_NAME - 8).join('');
}

export function noSuchIndex(collection: string, name: string): SandglassError {
  return new SandglassError('TTL_INDEX_NOT_FOUND', `${collection} has no TTL index named ${name}.`, {
    collection,
    index: name,
  });
}
