import type { Explanation } from '../../../../shared/contract/documents.ts';
import { durationInWords } from '../../../../shared/model/duration.ts';
import { formatInstantInFull } from '../../../../shared/model/format.ts';
import type { NeverReason } from '../../../../shared/model/reference-time.ts';
import { EXPLICIT, expireAfterOf, sourceInWords } from '../../../../shared/model/ttl-index.ts';
import { deadlineAt, deadlineOf, NEVER } from '../../expiry/deadline.ts';
import type { Catalog, CatalogCollection, CatalogIndex } from './catalog.ts';
import { expiringOf } from './collection-writer.ts';
import { findDocument, nameOf, stateOf } from './read-documents.ts';
import type { Reader } from './reader.ts';

/** Why a document leaves when it does, waits, or never leaves [X1]. Throws DOCUMENT_NOT_FOUND. */
export function explainExpiry(reader: Reader, name: string, id: string, now: number): Explanation {
  const collection = reader.collection(name);
  const stored = findDocument(reader, collection, id);
  const document: unknown = JSON.parse(stored.body);
  const deadline = deadlineOf(expiringOf(stored, document), collection.indexes);
  const state = stateOf(deadline, collection, reader.catalog, now);
  const candidates = collection.indexes.map(index => {
    const reference = index.read(document, stored.updatedAt);
    return {
      from: index.name,
      deadlineAt: 'at' in reference ? reference.at + index.addMs : null,
      reason: 'at' in reference ? (index.isReady ? null : 'still being built') : reference.reason,
      message: null,
      paused: index.isPaused,
    };
  });
  const at = deadlineAt(deadline);
  const waitsFor = at === null || now < at ? null : whatItWaitsFor(deadline, collection, reader.catalog);
  const explicit =
    stored.explicitAt === null
      ? []
      : [
          {
            from: EXPLICIT,
            deadlineAt: at,
            reason: stored.explicitAt === NEVER ? 'pinned' : null,
            message: null,
            paused: false,
          },
        ];
  return {
    _id: id,
    state,
    deadlineAt: at,
    deadlineFrom: nameOf(deadline),
    waitsFor,
    sentence: sentenceOf(deadline, waitsFor, collection, candidates),
    candidates: [...explicit, ...candidates],
  };
}

function whatItWaitsFor(
  deadline: ReturnType<typeof deadlineOf<CatalogIndex>>,
  collection: CatalogCollection,
  catalog: Catalog,
): NonNullable<Explanation['waitsFor']> {
  if (catalog.paused !== null) return 'paused store';
  if (collection.paused !== null) return 'paused collection';
  if (deadline.kind === 'index' && deadline.rule.isPaused) return 'paused index';
  if (deadline.kind === 'index' && deadline.rule.definition.schedule.mode === 'every') return 'schedule';
  return 'reaper';
}

const WAITS: Record<NonNullable<Explanation['waitsFor']>, string> = {
  reaper: 'the reaper is about to remove it',
  schedule: 'its index looks at set times, the next look removes it',
  'paused index': 'its index is paused',
  'paused collection': 'its collection is paused',
  'paused store': 'the reaper is paused for the whole store',
  hold: 'its collection is held until somebody confirms what is due',
  limit: 'its index removes no faster than its limits allow',
  quarantine:
    'the action did not get it out of the way, so it is left as it is until it or the index changes',
};

function sentenceOf(
  deadline: ReturnType<typeof deadlineOf<CatalogIndex>>,
  waitsFor: Explanation['waitsFor'],
  collection: CatalogCollection,
  candidates: readonly { from: string; reason: string | null }[],
): string {
  if (deadline.kind === 'pinned')
    return 'It never expires: it was pinned by hand, which outranks every index.';
  if (deadline.kind === 'none') return neverSentence(collection, candidates);
  const when = formatInstantInFull(deadline.at, 'utc');
  const cause =
    deadline.kind === 'explicit'
      ? 'its expiration was set by hand, which outranks every index'
      : causeOf(deadline.rule, deadline.reference);
  if (waitsFor !== null)
    return `It was due at ${when}, because ${cause}. It is hidden from reads and still stored: ${WAITS[waitsFor]}.`;
  return `It leaves at ${when}, because ${cause}.`;
}

function causeOf(index: CatalogIndex, reference: number): string {
  const { source } = index.definition;
  const from = sourceInWords(source);
  const expireAfter = expireAfterOf(source);
  return expireAfter === 0
    ? `${index.name} takes the deadline from ${from}`
    : `${index.name} counts ${durationInWords(expireAfter)} from ${from}, ${formatInstantInFull(reference, 'utc')}`;
}

const REASON_SENTENCES: Record<NeverReason, (index: string, field: string) => string> = {
  'missing field': (index, field) => `it has no ${field}, which ${index} needs`,
  'not a date': (index, field) => `its ${field} is text that is no date, so ${index} finds none`,
  'wrong type': (index, field) => `its ${field} is neither a date nor a number, so ${index} finds none`,
  'not finite': (index, field) => `its ${field} is no finite number, so ${index} finds no date`,
  'out of range': (index, field) =>
    `its ${field} lies before 1970 or after 9999, which ${index} does not read`,
  'wrong unit suspected': (index, field) =>
    `its ${field} does not look like the unit ${index} declares (seconds and milliseconds differ a thousandfold)`,
  'expression error': index => `the expression of ${index} fails on it`,
  'set by hand': index => `${index} is outranked by hand`,
  pinned: index => `${index} is outranked by a pin`,
  'no TTL index': index => `${index} is gone`,
  'expression gave null': index => `the expression of ${index} gives it none`,
  'not a duration': index => `its own TTL, which ${index} reads, is missing, negative or no number`,
  quarantined: index => `the action of ${index} did not get it out of the way, and it is left as it is`,
};

function neverSentence(
  collection: CatalogCollection,
  candidates: readonly { from: string; reason: string | null }[],
): string {
  if (collection.indexes.length === 0)
    return 'It never expires: this collection has no TTL index and nothing was set by hand.';
  const causes = candidates.map(({ from, reason }) => {
    const index = collection.indexes.find(candidate => candidate.name === from);
    const known = Object.entries(REASON_SENTENCES).find(([key]) => key === reason)?.[1];
    return known === undefined
      ? `${from} is ${reason ?? 'without effect'}`
      : known(from, index === undefined ? '' : sourceInWords(index.definition.source));
  });
  return `It never expires: ${causes.join('; ')}.`;
}
