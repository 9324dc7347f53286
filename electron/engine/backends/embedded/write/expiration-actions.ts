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
import { type CatalogIndex, EXPLICIT_SOURCE, isHeld } from '../tables/catalog.ts';
import type { RemovalLog } from '../tables/removal-log.ts';
import {
  bodyBytes,
  readAction,
  readBody,
  type StoredAction,
  type StoredBody,
} from '../tables/stored-json.ts';
import { type StoredRow, storedDeadline } from '../tables/stored-row.ts';
import { inTime } from '../tables/time-limit.ts';
import type { Transaction } from '../tables/transaction.ts';
import type { CollectionWriter } from './collection-writer.ts';
import { documentFromValue, type IncomingDocument } from './stored-document.ts';
import type { Writer } from './writer.ts';

/** The rule that made a document due. */
export interface Acting {
  /** Null: its explicit expiration. */
  readonly index: CatalogIndex | null;
  /** Of its entry, epoch ms. */
  readonly reference: number;
  readonly deadlineAt: number;
}

/** Deleted or moved away; still there, changed; or left as it was, and not taken up again [A5]. */
export type Expired = 'removed' | 'changed' | 'quarantined';

type Result =
  | { problem: string }
  | {
      gone: boolean;
      before?: StoredBody;
      movedTo?: number;
      handed?: number;
      after: 'cut' | IncomingDocument;
    };

const MOST_PREPARED = 100;
/** So many actions in a row may leave a document due at once; the next one gives up on it [A5]. */
const MOST_HANDED = 5;

/**
 * Does to one due document what the rule says that made it due [A1 to A6], inside a transaction of the caller, who has
 * just read it there. The reaper comes here, and a write that finds a hidden holder of its `_id` [C4].
 */
export class Expiration {
  readonly #writer: Writer;
  readonly #removals: RemovalLog;
  /** Actions of explicit expirations, by their text. */
  readonly #prepared = new Map<StoredAction, PreparedAction>();
  /** What is being acted on: a move that comes back to it must not begin again. */
  readonly #underway = new Set<string>();

  constructor(writer: Writer, removals: RemovalLog) {
    this.#writer = writer;
    this.#removals = removals;
  }

  /** `cutoff` is what the deadline must be later than afterwards; `pass` 0: a write completes it [C4]. */
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
    const result = this.#alone(collection, stored, () =>
      this.#resultOf(transaction, collection, stored, { prepared, index, deadlineAt, cutoff }),
    );
    if ('problem' in result) {
      collection.quarantine(stored, { source, reference, since: transaction.at, problem: result.problem });
      transaction.touch(name, stored.row);
      return 'quarantined';
    }
    const { after, ...what } = result;
    if (after === 'cut') collection.cut(stored);
    else collection.change(stored, after, transaction.at, this.#removals.next);
    const { action } = prepared;
    const removal = { source, row: stored.row, id: stored.id, deadline: deadlineAt, action, ...what };
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
   * The document under an `_id` that a reader would see. A hidden holder is not in the way: its action is completed
   * first, in this transaction [C4]; where that fails it is quarantined, and so visible.
   */
  visible(transaction: Transaction, collection: CollectionWriter, id: string): StoredRow | null {
    const stored = this.live(collection, id);
    if (stored === null || this.#underway.has(keyOf(collection, stored))) return stored;
    if (stored.explicitAt === null && collection.rules.length === 0) return stored;
    if (stored.explicitAt !== null && transaction.at < stored.explicitAt) return stored;
    const value = readBody(stored.body);
    const deadline = collection.deadlineOf(stored, value);
    if (!isHidden(deadline, transaction.at)) return stored;
    const acting = hidingRule(collection, stored, value, deadline);
    if (acting === null) return stored;
    const cutoff = transaction.at;
    const expired = this.expire(transaction, collection, stored, acting, { cutoff, pass: 0 });
    // Another rule may hide it still; each that gives up is one less.
    return expired === 'removed' ? null : this.visible(transaction, collection, id);
  }

  /** Stored and not removed, whoever sees it. */
  live(collection: CollectionWriter, id: string): StoredRow | null {
    const row = collection.rowOf(id);
    if (row === null || this.#writer.dead.of(collection.catalog.id).has(row)) return null;
    return collection.read(row);
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
    if (!isJsonObject(document)) return { problem: 'It is stored as no document.' };
    const outcome = this.#outcomeOf(prepared, document, transaction.at);
    switch (outcome.kind) {
      case 'remove':
        return { gone: true, after: 'cut' };
      case 'stuck':
        return { problem: outcome.problem };
      case 'move':
        return this.#move(transaction, outcome.to, collection, stored);
      case 'change': {
        const after = validated(outcome.document, transaction.at);
        if ('problem' in after) return after;
        const updatedAt = transaction.at;
        const handed = handedBefore(collection, stored, { index, deadlineAt });
        const problem =
          handed > MOST_HANDED
            ? HANDED_TOO_OFTEN
            : // As it will be read back: a number can be another kind of number there.
              index && progressProblem(index, after.value, { updatedAt, cutoff });
        return problem === null ? { gone: false, before: stored.body, handed, after } : { problem };
      }
    }
  }

  /** Into the other collection, in this transaction; its text and its `updatedAt` stay, its expiration by hand does not. */
  #move(transaction: Transaction, to: string, from: CollectionWriter, stored: StoredRow): Result {
    if (!this.#writer.catalog.collections.has(to)) {
      return { problem: `There is no collection named ${to} any more to move it to.` };
    }
    const target = this.#writer.collection(to);
    if (target.catalog.id === from.catalog.id) return { problem: `It is in ${to} already.` };
    const value = readBody(stored.body);
    const arriving = { updatedAt: stored.updatedAt, explicitAt: null, explicitAction: null };
    if (isDue(storedDeadline(arriving, value, target.rules, new Set()), transaction.at)) {
      return { problem: `It would be due in ${to} at once.` };
    }
    // What waits there for somebody to confirm it must not leave by the way of another collection [R8, R9].
    const held = isHeld(this.#writer.catalog, to);
    const inTheWay = held ? this.live(target, stored.id) : this.visible(transaction, target, stored.id);
    if (inTheWay !== null) {
      const waits = held ? `, and what is due in ${to} is held until somebody confirms it` : '';
      return { problem: `${to} has a document with this _id already${waits}.` };
    }
    const { id, body } = stored;
    // Its removal is the next to be written down: whatever was in its way is by now.
    target.insert({ id, body, bytes: bodyBytes(body), value }, stored.updatedAt, this.#removals.next);
    transaction.note({ collection: to, kind: 'insert', id });
    return { gone: true, after: 'cut', movedTo: target.catalog.id };
  }

  /** An action that takes too long is none that can be done: were it tried again, it would hold the writer each time [A5]. */
  #outcomeOf(prepared: PreparedAction, document: JsonObject, nowMs: number): Outcome {
    try {
      return inTime(this.#writer.clock, 'action', () => prepared.outcomeOf(document, nowMs));
    } catch (error) {
      if (!(error instanceof SandglassError) || error.code !== 'EXPRESSION_TIMEOUT') throw error;
      return { kind: 'stuck', problem: error.message };
    }
  }

  #alone<Outcome>(collection: CollectionWriter, stored: StoredRow, work: () => Outcome): Outcome {
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
      prepared = preparedOrStuck(readAction(text));
      if (this.#prepared.size >= MOST_PREPARED) this.#prepared.clear();
      this.#prepared.set(text, prepared);
    }
    return prepared;
  }
}

const HANDED_TOO_OFTEN = `${MOST_HANDED + 1} actions in a row left it due at once: the TTL indexes of its collection undo each other. Change one of them, or the document.`;

/**
 * How many actions in a row have left a document due at once, for a rule that was in effect: each may get it out of its own
 * way and into that of the next, for ever. Read from the log of removals, so a restart does not begin anew.
 */
function handedBefore(
  collection: CollectionWriter,
  stored: StoredRow,
  { index, deadlineAt }: Pick<Acting, 'index' | 'deadlineAt'>,
): number {
  const last = collection.handOver(stored);
  const dueSince = Math.max(deadlineAt, index?.effective ?? 0);
  return last === null || dueSince > last.at ? 0 : last.handed + 1;
}

/** What an import brought may be no action that can be done: its document is quarantined, and the others go on [A5, R4]. */
function preparedOrStuck(given: OnExpire): PreparedAction {
  try {
    return prepareAction(given);
  } catch (error) {
    if (!(error instanceof SandglassError)) throw error;
    const problem = error.message;
    return { action: given.action, outcomeOf: () => ({ kind: 'stuck', problem }) };
  }
}

function keyOf({ catalog }: CollectionWriter, { row }: StoredRow): string {
  return `${catalog.id}:${row}`;
}

/** A result is a document like any other, or it is none [C1, A5]. */
function validated(document: unknown, now: number): IncomingDocument | { problem: string } {
  try {
    return documentFromValue(document, { now });
  } catch (error) {
    if (error instanceof SandglassError) return { problem: error.message };
    throw error;
  }
}

/** The rule that hides a document: the one that governs it, unless that leaves it to be seen and a later one does not. */
function hidingRule(
  collection: CollectionWriter,
  stored: StoredRow,
  value: unknown,
  deadline: Deadline<CatalogIndex>,
): Acting | null {
  if (deadline.kind === 'explicit') return { index: null, reference: deadline.at, deadlineAt: deadline.at };
  if (deadline.kind !== 'index') return null;
  const out = collection.outOf(stored.row);
  for (const index of collection.rules) {
    const isOther = !index.isActing || !index.hides || out.has(index.id);
    if (isOther || index.isPaused !== deadline.rule.isPaused) continue;
    const reference = index.read(value, stored.updatedAt);
    if (!('at' in reference) || reference.at + index.addMs !== deadline.hidesAt) continue;
    return { index, reference: reference.at, deadlineAt: deadline.hidesAt };
  }
  return null;
}
