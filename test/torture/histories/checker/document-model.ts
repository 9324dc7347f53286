import type { TimeOfCall } from '../clock/host-time.ts';
import type { Model } from './linearizable.ts';

/** Bounds of an instant, epoch ms; equal where it is known. */
interface Instant {
  readonly from: number;
  readonly to: number;
}

interface StoredDocument {
  readonly value: number;
  /** The date in the field that the TTL index reads. */
  readonly field: number | null;
  readonly explicit: Instant | 'never' | null;
  /** Action of the explicit expiration; null: it deletes the document. */
  readonly action: Change | null;
  /** The era in which an answer has shown that the deadline had passed: time does not go back within it. Null: none has. */
  readonly hiddenIn: number | null;
  /** The era from which on the reaper may have acted on it. */
  readonly era: number;
}

/** An action that keeps the document, removes its date, and sets its value; null: it leaves the value. */
export interface Change {
  readonly value: number | null;
}

/** A version of a document that a client wrote. */
export interface Version {
  readonly value: number;
  readonly field: number | null;
}

/** Null: not stored. */
export type DocumentState = StoredDocument | null;

/** A document as an answer showed it. */
export interface Seen {
  readonly value: number;
  readonly deadlineAt: number | null;
  readonly isHidden: boolean;
}

/** One call on one document, with its answer. `unknown`: there was none. */
export type DocumentAction =
  | {
      readonly is: 'write';
      readonly value: number;
      readonly field: number | null;
      /** `written`: one of the first two; the answer does not say which. `exists`: refused, since it is there. */
      readonly answer: 'inserted' | 'updated' | 'written' | 'exists' | 'unknown';
      /** With the answer `unknown`: the call writes nothing if the document is there. */
      readonly isInsert: boolean;
    }
  | { readonly is: 'delete'; readonly answer: 'done' | 'missing' | 'unknown' }
  | {
      readonly is: 'expire';
      readonly explicit: Instant | 'never' | null;
      readonly action: Change | null;
      readonly answer: 'done' | 'missing' | 'unknown';
    }
  /** One of the versions came back, pinned, or nothing happened: the answer does not say which. */
  | { readonly is: 'restore'; readonly versions: readonly Version[]; readonly answer: 'tried' | 'unknown' }
  | { readonly is: 'read'; readonly includesExpired: boolean; readonly seen: Seen | null };

/** A call; the store read its trusted time while it ran. */
export interface DocumentOperation extends TimeOfCall {
  readonly action: DocumentAction;
}

/**
 * One document of a collection with a TTL index that deletes at the date in a field, and the reaper at work: a document
 * past its deadline is hidden [V1], and may be gone. One that was hidden is shown again if time has gone back [R10], unless the
 * reaper has removed it. `peak` gives the latest time of an era that has ended, in which the reaper acted, epoch ms.
 */
export function documentModel(peak: (era: number) => number): Model<DocumentState, DocumentOperation> {
  return {
    initial: null,
    key: state =>
      state === null
        ? '-'
        : `${state.value};${state.field};${explicitKey(state.explicit)};${state.action === null ? '-' : state.action.value};${state.hiddenIn ?? '-'};${state.era}`,
    next: (state, operation) =>
      actedOn(state, operation, peak).flatMap(one => following(one, operation, peak)),
  };
}

type Peak = (era: number) => number;

/** The document as it is, and as the action of its expiration may have left it before the call took effect. */
function actedOn(state: DocumentState, operation: DocumentOperation, peak: Peak): readonly DocumentState[] {
  if (state === null || state.action === null || !mayHaveActed(state, operation, peak)) return [state];
  return [state, written(operation, { value: state.action.value ?? state.value, field: null })];
}

/** A document without an expiration of its own. */
function written(
  { eras }: DocumentOperation,
  { value, field }: Version,
  explicit: StoredDocument['explicit'] = null,
): StoredDocument {
  return { value, field, explicit, action: null, hiddenIn: null, era: eras.first };
}

function following(state: DocumentState, operation: DocumentOperation, peak: Peak): readonly DocumentState[] {
  const { action, eras } = operation;
  const missing = state === null || mayBeRemoved(state, operation, peak) ? [null] : [];
  switch (action.is) {
    case 'write':
      return afterWrite(state, operation, action, missing.length > 0);
    case 'delete': {
      // A document that is hidden and not removed yet is deleted by hand, too.
      const done = state === null ? [] : [null];
      if (action.answer === 'done') return done;
      return action.answer === 'missing' ? missing : [...done, ...missing, state];
    }
    case 'expire': {
      const { explicit } = action;
      const done =
        state === null
          ? []
          : [{ ...state, explicit, action: action.action, hiddenIn: null, era: eras.first }];
      if (action.answer === 'done') return done;
      return action.answer === 'missing' ? missing : [...done, ...missing, state];
    }
    case 'restore':
      return [state, ...action.versions.map(version => written(operation, version, 'never'))];
    case 'read':
      return afterRead(state, operation, action, missing);
  }
}

function explicitKey(explicit: StoredDocument['explicit']): string {
  return explicit === null || explicit === 'never' ? String(explicit) : `${explicit.from}-${explicit.to}`;
}

function deadline({ explicit, field }: StoredDocument): Instant | null {
  if (explicit === 'never') return null;
  return explicit ?? (field === null ? null : { from: field, to: field });
}

/** Whether a reader may have been shown it during the call. */
function mayBeShown(state: StoredDocument, { from, eras }: DocumentOperation): boolean {
  const at = deadline(state);
  const isStillHidden = state.hiddenIn !== null && eras.last <= state.hiddenIn;
  return !isStillHidden && (at === null || from < at.to || state.action !== null);
}

/** Whether it may have been past its deadline during the call. */
function mayBeHidden(state: StoredDocument, { to }: DocumentOperation): boolean {
  const at = deadline(state);
  return at !== null && state.action === null && to >= at.from;
}

/** Whether the reaper may have removed it before the call took effect. */
function mayBeRemoved(state: StoredDocument, operation: DocumentOperation, peak: Peak): boolean {
  return state.action === null && mayHaveActed(state, operation, peak);
}

/** Whether the deadline may have come while the reaper acted, in the eras from the document's on. */
function mayHaveActed(state: StoredDocument, { actedTo, eras }: DocumentOperation, peak: Peak): boolean {
  const at = deadline(state);
  if (at === null) return false;
  if (actedTo >= at.from) return true;
  for (let era = state.era; era < eras.first; era++) if (peak(era) >= at.from) return true;
  return false;
}

function afterWrite(
  state: DocumentState,
  operation: DocumentOperation,
  { value, field, answer, isInsert }: DocumentAction & { is: 'write' },
  mayBeMissing: boolean,
): readonly DocumentState[] {
  const isShown = state !== null && mayBeShown(state, operation);
  // The action of a hidden document is completed first [C4], also while the store is held.
  const isFree = mayBeMissing || (state !== null && mayBeHidden(state, operation));
  const inserted: DocumentState[] = isFree ? [written(operation, { value, field })] : [];
  // The explicit expiration of a document that is there stays [C3].
  const updated: DocumentState[] = isShown ? [{ ...state, value, field, era: operation.eras.first }] : [];
  switch (answer) {
    case 'inserted':
      return inserted;
    case 'updated':
      return updated;
    case 'written':
      return [...inserted, ...updated];
    case 'exists':
      return isShown ? [state] : [];
    case 'unknown':
      return isInsert ? [...inserted, state] : [...inserted, ...updated, state];
  }
}

function afterRead(
  state: DocumentState,
  operation: DocumentOperation,
  { includesExpired, seen }: DocumentAction & { is: 'read' },
  missing: readonly null[],
): readonly DocumentState[] {
  if (seen === null) {
    if (state === null || includesExpired || !mayBeHidden(state, operation)) return missing;
    // Or removed: that is possible from now on, too.
    return [hiddenSince(state, operation)];
  }
  if (state === null || state.value !== seen.value) return [];
  const at = deadline(state);
  if (at === null ? seen.deadlineAt !== null : !isWithin(seen.deadlineAt, at)) return [];
  const isPossible = seen.isHidden
    ? includesExpired && mayBeHidden(state, operation)
    : mayBeShown(state, operation);
  if (!isPossible) return [];
  const isNarrower = state.explicit !== null && state.explicit !== 'never' && seen.deadlineAt !== null;
  const explicit = isNarrower ? { from: seen.deadlineAt, to: seen.deadlineAt } : state.explicit;
  const shown = { ...state, explicit };
  return [seen.isHidden ? hiddenSince(shown, operation) : shown];
}

function hiddenSince(state: StoredDocument, { eras }: DocumentOperation): StoredDocument {
  return { ...state, hiddenIn: Math.max(state.hiddenIn ?? eras.first, eras.first) };
}

function isWithin(at: number | null, { from, to }: Instant): boolean {
  return at !== null && at >= from && at <= to;
}
