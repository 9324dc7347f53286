import type { Explanation } from '../../../../../shared/contract/documents.ts';
import { formatLongDuration } from '../../../../../shared/model/duration.ts';
import { formatInstantInFull } from '../../../../../shared/model/format.ts';
import type { NeverReason } from '../../../../../shared/model/reference-time.ts';
import {
  EXPLICIT,
  type ExpireAction,
  expireAfterOf,
  formatReading,
  formatSource,
  type OnExpire,
} from '../../../../../shared/model/ttl-index.ts';
import { type Deadline, deadlineAt, isHidden, NEVER } from '../../../expiry/deadline.ts';
import { type CatalogCollection, EXPLICIT_SOURCE } from '../catalog/catalog.ts';
import type { CatalogIndex } from '../catalog/catalog-index.ts';
import { storedDeadline } from '../catalog/stored-deadline.ts';
import { readAction, readBody } from '../tables/documents/stored-json.ts';
import type { StoredRow } from '../tables/documents/stored-row.ts';
import type { Quarantined } from '../tables/quarantine.ts';
import type { ReadConnection } from './read-connection.ts';
import { findDocument, sourceNameOf, stateOf } from './read-documents.ts';
import { waitingReason } from './waiting-reason.ts';

type Candidate = Explanation['candidates'][number];

/** Returns why a document expires when it does, waits, or never expires [X1]. Throws DOCUMENT_NOT_FOUND. */
export function explainExpiry(reader: ReadConnection, name: string, id: string, now: number): Explanation {
  const collection = reader.collection(name);
  const stored = findDocument(reader, collection, id);
  const document = readBody(stored.body);
  const quarantined = reader.quarantine.of(collection.id, stored.row);
  const out = new Set(quarantined.map(({ source }) => source));
  const deadline = storedDeadline(stored, document, collection.indexes, out);
  const state = stateOf(deadline, collection, reader.catalog, now, quarantined.length);
  const candidates = [
    ...explicitCandidates(stored, quarantined),
    ...collection.indexes.map(index => candidateOf(index, document, stored.updatedAt, quarantined)),
  ];
  if (state === 'quarantined') {
    const [first] = candidates.filter(({ reason }) => reason === 'quarantined').sort(byDeadline);
    return {
      _id: id,
      state,
      deadlineAt: first?.deadlineAt ?? null,
      deadlineFrom: first?.from ?? null,
      waitsFor: 'quarantine',
      sentence: quarantineSentence(first),
      candidates,
    };
  }
  const at = deadlineAt(deadline);
  const waitsFor = at === null || now < at ? null : waitingReason(deadline, collection, reader);
  const { action } = actionOf(deadline, stored);
  return {
    _id: id,
    state,
    deadlineAt: at,
    deadlineFrom: sourceNameOf(deadline),
    waitsFor,
    sentence: sentenceOf(
      { deadline, action, waitsFor, isHidden: isHidden(deadline, now) },
      collection,
      candidates,
    ),
    candidates,
  };
}

/** Returns the candidate of its explicit expiration, if it has one. */
function explicitCandidates({ explicitAt }: StoredRow, quarantined: readonly Quarantined[]): Candidate[] {
  if (explicitAt === null) return [];
  const entry = quarantined.find(({ source }) => source === EXPLICIT_SOURCE);
  const isPin = explicitAt === NEVER;
  return [
    {
      from: EXPLICIT,
      deadlineAt: isPin ? null : explicitAt,
      reason: isPin ? 'pinned' : entry === undefined ? null : 'quarantined',
      message: entry?.problem ?? null,
      paused: false,
    },
  ];
}

/** Returns the candidate of one index, whether or not it governs. */
function candidateOf(
  index: CatalogIndex,
  document: unknown,
  updatedAt: number,
  quarantined: readonly Quarantined[],
): Candidate {
  const entry = quarantined.find(({ source }) => source === index.id);
  const reference = index.read(document, updatedAt);
  const found = 'at' in reference;
  return {
    from: index.name,
    deadlineAt: found ? reference.at + index.addMs : null,
    reason: entry !== undefined ? 'quarantined' : found ? whyWithoutEffect(index) : reference.reason,
    message: entry?.problem ?? (found ? null : index.problemOf(document, updatedAt)),
    paused: index.isPaused,
  };
}

function whyWithoutEffect(index: CatalogIndex): string | null {
  if (index.isActing) return null;
  if (!index.isReady) return 'still being built';
  return index.isConfirmed ? 'only observing' : 'not confirmed yet';
}

function byDeadline(a: Candidate, b: Candidate): number {
  return (a.deadlineAt ?? 0) - (b.deadlineAt ?? 0);
}

function quarantineSentence(candidate: Candidate | undefined): string {
  const when = formatInstantInFull(candidate?.deadlineAt ?? 0, 'utc');
  const whose =
    candidate?.from === EXPLICIT ? 'its expiration set by hand' : (candidate?.from ?? 'its index');
  return `It was due at ${when} by ${whose}, and is quarantined: ${candidate?.message ?? ''} The action is retried once the document or the index changes.`;
}

/** Returns the action at its deadline. */
function actionOf(deadline: Deadline<CatalogIndex>, { explicitAction }: StoredRow): OnExpire {
  if (deadline.kind === 'index') return deadline.rule.definition.onExpire;
  return readAction(explicitAction);
}

const WAIT_PHRASES: Record<NonNullable<Explanation['waitsFor']>, string> = {
  reaper: 'the reaper is about to act on it',
  schedule: 'its index acts on a schedule, at the next tick',
  'paused index': 'its index is paused',
  'paused collection': 'its collection is paused',
  'paused store': 'the reaper is paused for the whole store',
  hold: 'its collection is held until a person confirms what is due',
  limit: 'the limits of its index delay it',
  'index build': 'its index is being rebuilt and acts once that is done',
  quarantine:
    'it is quarantined: the action failed or left it due, and is retried once the document or the index changes',
};

const ACTION_PHRASES: Record<ExpireAction, string> = {
  delete: 'It is deleted at',
  patch: 'It is patched at',
  replace: 'It is replaced at',
  move: 'It moves to another collection at',
};

interface SentenceParts {
  deadline: Deadline<CatalogIndex>;
  action: ExpireAction;
  waitsFor: Explanation['waitsFor'];
  isHidden: boolean;
}

function sentenceOf(
  { deadline, action, waitsFor, isHidden: hidden }: SentenceParts,
  collection: CatalogCollection,
  candidates: readonly Candidate[],
): string {
  if (deadline.kind === 'pinned')
    return 'It never expires: it was pinned by hand, which outranks every index.';
  if (deadline.kind === 'none') return neverSentence(collection, candidates);
  const when = formatInstantInFull(deadline.at, 'utc');
  const cause =
    deadline.kind === 'explicit'
      ? 'its expiration was set by hand, which outranks every index'
      : causeOf(deadline.rule, deadline.reference);
  if (waitsFor === null) return `${ACTION_PHRASES[action]} ${when}, because ${cause}.`;
  const seen = hidden ? 'hidden from reads and still stored' : 'still visible, unchanged';
  return `It was due at ${when}, because ${cause}. It is ${seen}: ${WAIT_PHRASES[waitsFor]}.`;
}

function causeOf(index: CatalogIndex, reference: number): string {
  const { source } = index.definition;
  const reading = formatReading(source);
  const from = reading === null ? formatSource(source) : `${formatSource(source)} (${reading})`;
  if (source.kind === 'field' && source.expireAfterField !== undefined)
    return `${index.name} counts the seconds of ${source.expireAfterField} from ${from}`;
  const expireAfter = expireAfterOf(source);
  return expireAfter === 0
    ? `${index.name} takes the deadline from ${from}`
    : `${index.name} counts ${formatLongDuration(expireAfter)} from ${from}, ${formatInstantInFull(reference, 'utc')}`;
}

const REASON_SENTENCES: Record<NeverReason, (index: string, field: string) => string> = {
  'missing field': (index, field) => `it has no ${field}, which ${index} needs`,
  'not a date': (index, field) => `its ${field} is text that is not a date, so ${index} finds none`,
  'wrong type': (index, field) => `its ${field} is neither a date nor a number, so ${index} finds none`,
  'not finite': (index, field) => `its ${field} is not a finite number, so ${index} finds no date`,
  'out of range': (index, field) =>
    `its ${field} lies before 1970 or after 9999, which ${index} does not read`,
  'wrong unit suspected': (index, field) =>
    `its ${field} does not look like the unit ${index} declares (seconds and milliseconds differ a thousandfold)`,
  'expression error': index => `the expression of ${index} fails on it`,
  'set by hand': index => `${index} is outranked by hand`,
  pinned: index => `${index} is outranked by a pin`,
  'no TTL index': index => `${index} was dropped`,
  'expression gave null': index => `the expression of ${index} gives it no deadline`,
  'not a duration': index => `its own TTL, which ${index} reads, is missing, negative or not a number`,
  quarantined: index => `${index} quarantined it, since its action failed or left it due`,
};

function neverSentence(collection: CatalogCollection, candidates: readonly Candidate[]): string {
  if (collection.indexes.length === 0)
    return 'It never expires: this collection has no TTL index and no expiration was set by hand.';
  const causes = candidates.map(({ from, reason, message }) => {
    const index = collection.indexes.find(candidate => candidate.name === from);
    const reading = index === undefined ? null : formatReading(index.definition.source);
    const known = Object.entries(REASON_SENTENCES).find(([key]) => key === reason)?.[1];
    const cause =
      known === undefined
        ? `${from} is ${reason ?? 'without effect'}`
        : known(from, index === undefined ? '' : formatSource(index.definition.source));
    if (reason === 'not a date' && reading !== null) return `${cause} (it is ${reading})`;
    return message === null ? cause : `${cause} (${message.replace(/\.$/, '')})`;
  });
  return `It never expires: ${causes.join('; ')}.`;
}
