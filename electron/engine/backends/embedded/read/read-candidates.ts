import type { ExpressionCandidate, FieldCandidate } from '../../../../../shared/contract/ttl-indexes.ts';
import { detectFormats } from '../../../../../shared/model/dates/detect-formats.ts';
import { readReferenceTime, type TimeUnit } from '../../../../../shared/model/reference-time.ts';
import type { CatalogCollection } from '../catalog/catalog.ts';
import { bodyBytes, readBody, type StoredBody } from '../tables/documents/stored-json.ts';
import { ROW, type StoredRow } from '../tables/documents/stored-row.ts';
import { expressionsOf } from './date-and-time-fields.ts';
import type { ReadConnection } from './read-connection.ts';

const SAMPLE = 2_000;
const STRIPES = 40;
const DEEPEST = 4;
/** Bytes read per stripe, plus the rest of the last document. */
const STRIPE_BYTES = 2 * 1024 * 1024;
const MAX_FIELDS = 60;
/** Texts per field from which formats are detected. */
const MOST_TEXTS = 240;
const FIRST_TEXTS = 50;
const LONGEST_TEXT = 100;
/** `20260131`, `20260131093000`: read as Unix time, such a number would lie in 1970, or beyond the year 2600. */
const DIGITS_OF_A_DATE = /^(19|20)\d{6}(\d{6})?$/;
/** Field names that suggest a time. They only break ties. */
const SOUNDS_LIKE_TIME = /(time|date|at$|_at|expir|until|ttl|created|updated|seen|ts$|timestamp)/i;

interface Seen {
  present: number;
  types: Set<string>;
  /** First value, for a field without dates. */
  first: unknown;
  /** First value per kind that is a date, so that `milliseconds` never shows a text. */
  examples: Partial<Record<'text' | TimeUnit, unknown>>;
  dates: Record<'text' | TimeUnit, number>;
  span: Record<'text' | TimeUnit, [number, number] | null>;
  /** Some of its texts, and of its numbers that could be the digits of a date. */
  texts: string[];
}

export interface CandidateAnswer {
  sampled: number;
  documents: number;
  fields: FieldCandidate[];
  expressions: ExpressionCandidate[];
}

/**
 * Returns fields that could give a deadline, best first. Samples documents in stripes over the whole collection, since
 * the oldest documents of a collection are rarely like the newest. Yields after each document.
 */
export function* findCandidates(reader: ReadConnection, name: string): Generator<void, CandidateAnswer> {
  const collection = reader.collection(name);
  const seen = new Map<string, Seen>();
  let sampled = 0;
  for (const body of sampleOf(reader, collection)) {
    if (body !== null) {
      sampled += 1;
      walk(readBody(body), '', 0, seen);
    }
    yield;
  }
  const fields: FieldCandidate[] = [];
  for (const [field, facts] of seen) {
    fields.push(toCandidate(field, facts));
    yield;
  }
  fields.sort(byLikelihood);
  return {
    sampled,
    documents: collection.documents,
    fields: fields.slice(0, MAX_FIELDS),
    expressions: expressionsOf(fields, seen),
  };
}

/** Yields null for a removed document. */
function* sampleOf(reader: ReadConnection, collection: CatalogCollection): Generator<StoredBody | null> {
  const span = reader.db
    .prepare<[], { first: number | null; last: number | null }>(
      `SELECT min(row) AS first, max(row) AS last FROM documents_${collection.id}`,
    )
    .get();
  const first = span?.first ?? 0;
  const last = span?.last ?? 0;
  const rows = reader.db.prepare<[number, number], StoredRow>(
    `SELECT ${ROW} FROM documents_${collection.id} WHERE row > ? ORDER BY row LIMIT ?`,
  );
  let cursor = first - 1;
  for (let stripe = 0; stripe < STRIPES; stripe++) {
    const start = Math.floor(first - 1 + ((last - first + 1) * stripe) / STRIPES);
    cursor = Math.max(cursor, start);
    let bytes = 0;
    for (const stored of rows.iterate(cursor, SAMPLE / STRIPES)) {
      const { row, body } = stored;
      cursor = row;
      if (reader.tombstones.isDead(collection.id, stored)) {
        yield null;
        continue;
      }
      yield body;
      bytes += bodyBytes(body);
      if (bytes > STRIPE_BYTES) break;
    }
  }
}

function walk(value: unknown, path: string, depth: number, seen: Map<string, Seen>): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (path !== '' && path !== '_id') note(path, value, seen);
    return;
  }
  if (depth === DEEPEST) return;
  for (const [key, item] of Object.entries(value)) {
    // A dot in a name is indistinguishable from a path.
    if (!key.includes('.') && key !== '') walk(item, path === '' ? key : `${path}.${key}`, depth + 1, seen);
  }
}

function note(field: string, value: unknown, seen: Map<string, Seen>): void {
  if (value === null) return;
  let facts = seen.get(field);
  if (facts === undefined) {
    facts = {
      present: 0,
      types: new Set(),
      first: value,
      examples: {},
      dates: { text: 0, seconds: 0, milliseconds: 0 },
      span: { text: null, seconds: null, milliseconds: null },
      texts: [],
    };
    seen.set(field, facts);
  }
  facts.present += 1;
  facts.types.add(Array.isArray(value) ? 'array' : typeof value === 'string' ? 'text' : typeof value);
  // The first ones, then some of the rest: a later part of the collection may be written otherwise.
  if (facts.texts.length < MOST_TEXTS && (facts.present <= FIRST_TEXTS || facts.present % 10 === 0)) {
    if (typeof value === 'string' && value.length <= LONGEST_TEXT) facts.texts.push(value);
    else if (typeof value === 'number' && DIGITS_OF_A_DATE.test(String(value)))
      facts.texts.push(String(value));
  }
  if (typeof value === 'string') count(facts, 'text', value, 'seconds');
  else {
    count(facts, 'seconds', value, 'seconds');
    count(facts, 'milliseconds', value, 'milliseconds');
  }
}

function count(facts: Seen, as: 'text' | TimeUnit, value: unknown, unit: TimeUnit): void {
  const reference = readReferenceTime(value, unit);
  // The rule accepts small numbers as instants of 1970, but they are more likely plain numbers.
  if (!('at' in reference) || reference.at < Date.UTC(1990, 0, 1)) return;
  facts.dates[as] += 1;
  facts.examples[as] ??= value;
  const [least, most] = facts.span[as] ?? [reference.at, reference.at];
  facts.span[as] = [Math.min(least, reference.at), Math.max(most, reference.at)];
}

const FORMATS = { text: 'ISO 8601', seconds: 'seconds', milliseconds: 'milliseconds' } as const;

function toCandidate(
  field: string,
  { present, types, first, examples, dates, span, texts }: Seen,
): FieldCandidate {
  const kinds = ['text', 'milliseconds', 'seconds'] as const;
  const best = kinds.reduce((a, b) => (dates[b] > dates[a] ? b : a));
  const found = dates[best];
  return {
    field,
    present,
    dates: found,
    types: [...types].sort(),
    unit: found === 0 || best === 'text' ? null : best,
    format: found === 0 ? 'not a date' : FORMATS[best],
    example: examples[best] ?? first,
    earliestAt: span[best]?.[0] ?? null,
    latestAt: span[best]?.[1] ?? null,
    offers: found === present ? [] : detectFormats(texts),
  };
}

function byLikelihood(a: FieldCandidate, b: FieldCandidate): number {
  const named = (field: string) => (SOUNDS_LIKE_TIME.test(field) ? 1 : 0);
  return (
    b.dates - a.dates ||
    shareOf(b) - shareOf(a) ||
    named(b.field) - named(a.field) ||
    b.present - a.present ||
    a.field.localeCompare(b.field)
  );
}

/** Returns the number of documents that have the field if its first format is certain, otherwise 0. */
function shareOf({ offers: [first], present }: FieldCandidate): number {
  return first === undefined || first.doubt !== null ? 0 : present;
}
