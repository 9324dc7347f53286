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
  /** Whether an answer has shown that the deadline has passed: time does not go back. */
  readonly wasHidden: boolean;
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

/** The wall clock of the machine before and after the call, epoch ms: the store read its own clock in between. */
export interface DocumentOperation {
  readonly action: DocumentAction;
  readonly from: number;
  readonly to: number;
}

/**
 * One document of a collection with a TTL index that deletes at the date in a field, and the reaper at work: a document
 * past its deadline is hidden [V1], and may be gone.
 */
export const DOCUMENT_MODEL: Model<DocumentState, DocumentOperation> = {
  initial: null,
  key: state =>
    state === null
      ? '-'
      : `${state.value};${state.field};${explicitKey(state.explicit)};${state.action === null ? '-' : state.action.value};${state.wasHidden ? 1 : 0}`,
  next: (state, operation) => actedOn(state, operation).flatMap(one => following(one, operation)),
};

/** The document as it is, and as the action of its expiration may have left it before the call took effect. */
function actedOn(state: DocumentState, { to }: DocumentOperation): readonly DocumentState[] {
  if (state === null || state.action === null) return [state];
  const at = deadline(state);
  if (at === null || to < at.from) return [state];
  const value = state.action.value ?? state.value;
  return [state, { value, field: null, explicit: null, action: null, wasHidden: false }];
}

function following(state: DocumentState, operation: DocumentOperation): readonly DocumentState[] {
  const { action } = operation;
  switch (action.is) {
    case 'write':
      return written(state, operation, action);
    case 'delete': {
      // A document that is hidden and not removed yet is deleted by hand, too.
      const done = state === null ? [] : [null];
      const missing = removed(state, operation);
      if (action.answer === 'done') return done;
      return action.answer === 'missing' ? missing : [...done, ...missing, state];
    }
    case 'expire': {
      const done =
        state === null
          ? []
          : [{ ...state, explicit: action.explicit, action: action.action, wasHidden: false }];
      const missing = removed(state, operation);
      if (action.answer === 'done') return done;
      return action.answer === 'missing' ? missing : [...done, ...missing, state];
    }
    case 'restore': {
      const restored = action.versions.map(version => ({
        ...version,
        explicit: 'never' as const,
        action: null,
        wasHidden: false,
      }));
      return [state, ...restored];
    }
    case 'read':
      return read(state, operation, action);
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
function mayBeShown(state: StoredDocument, { from }: DocumentOperation): boolean {
  const at = deadline(state);
  return !state.wasHidden && (at === null || from < at.to || state.action !== null);
}

/** Whether it may have been past its deadline during the call. */
function mayBeHidden(state: StoredDocument, { to }: DocumentOperation): boolean {
  const at = deadline(state);
  return state.wasHidden || (at !== null && state.action === null && to >= at.from);
}

/** The state after an answer that there is no document, hidden or not. */
function removed(state: DocumentState, operation: DocumentOperation): readonly DocumentState[] {
  return state === null || mayBeHidden(state, operation) ? [null] : [];
}

function written(
  state: DocumentState,
  operation: DocumentOperation,
  { value, field, answer, isInsert }: DocumentAction & { is: 'write' },
): readonly DocumentState[] {
  const isShown = state !== null && mayBeShown(state, operation);
  const inserted: DocumentState[] =
    removed(state, operation).length === 0
      ? []
      : [{ value, field, explicit: null, action: null, wasHidden: false }];
  // The explicit expiration of a document that is there stays [C3].
  const updated: DocumentState[] = isShown ? [{ ...state, value, field }] : [];
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

function read(
  state: DocumentState,
  operation: DocumentOperation,
  { includesExpired, seen }: DocumentAction & { is: 'read' },
): readonly DocumentState[] {
  if (seen === null) {
    if (includesExpired) return removed(state, operation);
    if (state === null) return [null];
    return mayBeHidden(state, operation) ? [{ ...state, wasHidden: true }] : [];
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
  return [{ ...state, explicit, wasHidden: state.wasHidden || seen.isHidden }];
}

function isWithin(at: number | null, { from, to }: Instant): boolean {
  return at !== null && at >= from && at <= to;
}
