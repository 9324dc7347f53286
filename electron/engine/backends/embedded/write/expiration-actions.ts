import { SandglassError } from '../../../../../shared/model/errors.ts';
import { isJsonObject, type JsonObject } from '../../../../../shared/model/json/json.ts';
import { EXPLICIT, type OnExpire } from '../../../../../shared/model/ttl-index.ts';
import {
  DELETION,
  type Outcome,
  type PreparedAction,
  prepareAction,
  progressProblem,
} from '../../../expiry/action.ts';
import { type Deadline, isDue, isHidden } from '../../../expiry/deadline.ts';
import { EXPLICIT_SOURCE, isHeld } from '../catalog/catalog.ts';
import type { CatalogIndex } from '../catalog/catalog-index.ts';
import { inTime } from '../catalog/expression-time-limit.ts';
import { storedDeadline } from '../catalog/stored-deadline.ts';
import {
  bodyBytes,
  readAction,
  readBody,
  type StoredAction,
  type StoredBody,
} from '../tables/documents/stored-json.ts';
import type { StoredRow } from '../tables/documents/stored-row.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { CollectionWriter } from './collection-writer.ts';
import { documentFromValue, type IncomingDocument } from './incoming-document.ts';
import type { RemovalLog } from './removal-log.ts';
import type { Writer } from './writer.ts';

/** The rule that made a document due. */
export interface Acting {
  /** Null for its explicit expiration. */
  readonly index: CatalogIndex | null;
  /** Reference time of its entry, epoch ms. */
  readonly reference: number;
  readonly deadlineAt: number;
}

/** Deleted or moved; changed and still there; or left unchanged and not retried [A5]. */
export type Expired = 'removed' | 'changed' | 'quarantined';

type Result =
  | { problem: string }
  | {
      gone: boolean;
      before?: StoredBody;
      movedTo?: number;
      actionsBefore?: number;
      after: 'removed' | IncomingDocument;
    };

const MAX_PREPARED = 100;
/** Consecutive actions that may leave a document due at once; the next one is quarantined [A5]. */
const MAX_CONSECUTIVE_ACTIONS = 5;

/**
 * Runs the action of the rule that made a document due [A1 to A6], inside a transaction of the caller, which has just
 * read the document there. Used by the reaper, and by a write that finds a hidden holder of its `_id` [C4].
 */
export class ExpirationActions {
  readonly #writer: Writer;
  readonly #removals: RemovalLog;
  /** Actions of explicit expirations, by their text. */
  readonly #prepared = new Map<StoredAction, PreparedAction>();
  /** Documents whose action is running: a chain of moves that leads back to one does not start its action again. */
  readonly #underway = new Set<string>();

  constructor(writer: Writer, removals: RemovalLog) {
    this.#writer = writer;
    this.#removals = removals;
  }

  /** Runs the action. Afterwards the deadline must be later than `cutoff`. `pass` is 0 if a write completes it [C4]. */
  expire(
    transaction: Transaction,
    collection: CollectionWriter,
    stored: StoredRow,
    { index, reference, deadlineAt }: Acting,
    { cutoff, pass }: { cutoff: number; pass: number },
  ): Expired {
    const { name } = collection.catalog;
    const source = index?.id ?? EXPLICIT_SOURCE;
    const prepared = index === null ? this.#explicit(stored.explicitAction) : index.action;
    const result = this.#withoutReentry(collection, stored, () =>
      this.#resultOf(transaction, collection, stored, { prepared, index, deadlineAt, cutoff }),
    );
    if ('problem' in result) {
      collection.entries.quarantine(stored, {
        source,
        reference,
        since: transaction.at,
        problem: result.problem,
      });
      transaction.touch(name, stored.row);
      return 'quarantined';
    }
    const { after, ...what } = result;
    if (after === 'removed') collection.removeLogically(stored);
    else collection.change(stored, after, transaction.at, this.#removals.next);
    const { action } = prepared;
    const removal = { source, row: stored.row, id: stored.id, deadlineAt, action, ...what };
    this.#removals.append(transaction, collection.catalog, [removal], pass);
    transaction.note({
      collection: name,
      kind: 'expire',
      id: stored.id,
      index: index?.name ?? EXPLICIT,
      deadlineAt,
      action,
      lagMs: Math.max(0, transaction.at - deadlineAt),
      pass,
    });
    return what.gone ? 'removed' : 'changed';
  }

  /**
   * Returns the document that a reader would see under an `_id`. The action of a hidden holder is completed first, in
   * this transaction [C4]; if it fails, the holder is quarantined, and so visible.
   */
  visible(transaction: Transaction, collection: CollectionWriter, id: string): StoredRow | null {
    const stored = this.live(collection, id);
    if (stored === null || this.#underway.has(keyOf(collection, stored))) return stored;
    if (stored.explicitAt === null && collection.entries.rules.length === 0) return stored;
    if (stored.explicitAt !== null && transaction.at < stored.explicitAt) return stored;
    const value = readBody(stored.body);
    const deadline = collection.entries.deadlineOf(stored, value);
    if (!isHidden(deadline, transaction.at)) return stored;
    const acting = hidingRule(collection, stored, value, deadline);
    if (acting === null) return stored;
    const cutoff = transaction.at;
    const expired = this.expire(transaction, collection, stored, acting, { cutoff, pass: 0 });
    // Another rule may still hide it; each quarantine leaves one fewer.
    return expired === 'removed' ? null : this.visible(transaction, collection, id);
  }

  /** Returns the document if it is stored and not removed, hidden or not. */
  live(collection: CollectionWriter, id: string): StoredRow | null {
    const row = collection.rowOf(id);
    const stored = row === null ? null : collection.read(row);
    return stored === null || this.#writer.tombstones.isDead(collection.catalog.id, stored) ? null : stored;
  }

  #resultOf(
    transaction: Transaction,
    collection: CollectionWriter,
    stored: StoredRow,
    {
      prepared,
      index,
      deadlineAt,
      cutoff,
    }: { prepared: PreparedAction; index: CatalogIndex | null; deadlineAt: number; cutoff: number },
  ): Result {
    const document = readBody(stored.body);
    if (!isJsonObject(document)) return { problem: 'It is not stored as a JSON object.' };
    const outcome = this.#outcomeOf(prepared, document, transaction.at);
    switch (outcome.kind) {
      case 'remove':
        return { gone: true, after: 'removed' };
      case 'failed':
        return { problem: outcome.problem };
      case 'move':
        return this.#move(transaction, outcome.to, collection, stored);
      case 'change': {
        const after = validated(outcome.document, transaction.at);
        if ('problem' in after) return after;
        const updatedAt = transaction.at;
        const actionsBefore = countActionsBefore(collection, stored, { index, deadlineAt });
        const problem =
          actionsBefore > MAX_CONSECUTIVE_ACTIONS
            ? TOO_MANY_ACTIONS
            : // Checked as it will be read back, since a number's type may change.
              index && progressProblem(index, after.value, { updatedAt, cutoff });
        return problem === null ? { gone: false, before: stored.body, actionsBefore, after } : { problem };
      }
    }
  }

  /**
   * Moves the document to another collection in this transaction. Its text and `updatedAt` stay, its explicit
   * expiration does not.
   */
  #move(transaction: Transaction, to: string, from: CollectionWriter, stored: StoredRow): Result {
    if (!this.#writer.catalog.collections.has(to)) {
      return { problem: `The collection ${to} to move it to no longer exists.` };
    }
    const target = this.#writer.collection(to);
    if (target.catalog.id === from.catalog.id) return { problem: `It is in ${to} already.` };
    const value = readBody(stored.body);
    const arriving = { updatedAt: stored.updatedAt, explicitAt: null, explicitAction: null };
    if (isDue(storedDeadline(arriving, value, target.entries.rules, new Set()), transaction.at)) {
      return { problem: `It would be due in ${to} immediately.` };
    }
    // In a held collection, a due document must not be removed this way before the hold is confirmed [R8, R9].
    const held = isHeld(this.#writer.catalog, to);
    const inTheWay = held ? this.live(target, stored.id) : this.visible(transaction, target, stored.id);
    if (inTheWay !== null) {
      const waits = held ? `, and what is due in ${to} is held until a person confirms it` : '';
      return { problem: `${to} has a document with this _id already${waits}.` };
    }
    const { id, body } = stored;
    // Number of the next removal: that of a document in the way of the move is recorded already.
    target.insert({ id, body, bytes: bodyBytes(body), value }, stored.updatedAt, this.#removals.next);
    transaction.note({ collection: to, kind: 'insert', id });
    return { gone: true, after: 'removed', movedTo: target.catalog.id };
  }

  /** A timeout counts as a failed action: retried, it would block the writer each time [A5]. */
  #outcomeOf(prepared: PreparedAction, document: JsonObject, nowMs: number): Outcome {
    try {
      return inTime(this.#writer.clock, 'action', () => prepared.outcomeOf(document, nowMs));
    } catch (error) {
      if (!(error instanceof SandglassError) || error.code !== 'EXPRESSION_TIMEOUT') throw error;
      return { kind: 'failed', problem: error.message };
    }
  }

  #withoutReentry<Outcome>(collection: CollectionWriter, stored: StoredRow, work: () => Outcome): Outcome {
    const key = keyOf(collection, stored);
    this.#underway.add(key);
    try {
      return work();
    } finally {
      this.#underway.delete(key);
    }
  }

  #explicit(text: StoredAction | null): PreparedAction {
    if (text === null) return DELETION;
    let prepared = this.#prepared.get(text);
    if (prepared === undefined) {
      prepared = preparedOrFailing(readAction(text));
      if (this.#prepared.size >= MAX_PREPARED) this.#prepared.clear();
      this.#prepared.set(text, prepared);
    }
    return prepared;
  }
}

const TOO_MANY_ACTIONS = `${MAX_CONSECUTIVE_ACTIONS + 1} actions in a row left it due at once: the TTL indexes of its collection undo each other. Change one of them, or the document.`;

/**
 * Returns how many consecutive actions have left a document due at once for a rule in effect: each may remove its own
 * deadline and set that of the next, endlessly. Read from the log of removals, so that a restart does not reset it.
 */
function countActionsBefore(
  collection: CollectionWriter,
  stored: StoredRow,
  { index, deadlineAt }: Pick<Acting, 'index' | 'deadlineAt'>,
): number {
  const last = collection.precedingAction(stored);
  const dueSince = Math.max(deadlineAt, index?.effectiveAt ?? 0);
  return last === null || dueSince > last.at ? 0 : last.actionsBefore + 1;
}

/** An imported action may be invalid: its document is quarantined, and the others continue [A5, R4]. */
function preparedOrFailing(given: OnExpire): PreparedAction {
  try {
    return prepareAction(given);
  } catch (error) {
    if (!(error instanceof SandglassError)) throw error;
    const problem = error.message;
    return { action: given.action, outcomeOf: () => ({ kind: 'failed', problem }) };
  }
}

function keyOf({ catalog }: CollectionWriter, { row }: StoredRow): string {
  return `${catalog.id}:${row}`;
}

/** The result of an action must be a valid document [C1, A5]. */
function validated(document: unknown, now: number): IncomingDocument | { problem: string } {
  try {
    return documentFromValue(document, { now });
  } catch (error) {
    if (error instanceof SandglassError) return { problem: error.message };
    throw error;
  }
}

/** Returns the rule that hides a document: the governing one, or a later one if the governing one leaves it visible. */
function hidingRule(
  collection: CollectionWriter,
  stored: StoredRow,
  value: unknown,
  deadline: Deadline<CatalogIndex>,
): Acting | null {
  if (deadline.kind === 'explicit') return { index: null, reference: deadline.at, deadlineAt: deadline.at };
  if (deadline.kind !== 'index') return null;
  const out = collection.entries.quarantinedBy(stored.row);
  for (const index of collection.entries.rules) {
    const isOther = !index.isActing || !index.hides || out.has(index.id);
    if (isOther || index.isPaused !== deadline.rule.isPaused) continue;
    const reference = index.read(value, stored.updatedAt);
    if (!('at' in reference) || reference.at + index.addMs !== deadline.hidesAt) continue;
    return { index, reference: reference.at, deadlineAt: deadline.hidesAt };
  }
  return null;
}
