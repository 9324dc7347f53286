import { t } from '@lingui/core/macro';
import type { ConnectionRecord } from '../../shared/contract/connections.ts';
import { PROCEDURES } from '../../shared/contract/procedure-facts.ts';
import { createStore, type ReadableStore } from '../state/store.ts';
import { liveState } from './live-store.ts';
import type { StoreSession } from './store-session.ts';

/**
 * Confirmation of writes to a production connection: every call that writes, by the contract, waits for a confirmation.
 * The calls of one action are confirmed once.
 */
export interface WriteAction {
  isConfirmed: boolean;
  /** The effect of the whole action was confirmed [R8]: its calls need no further confirmation. */
  isEffectConfirmed?: boolean;
}

/** The pending call, shown by the confirmation dialog. */
export interface WriteQuestion {
  readonly connection: ConnectionRecord;
  /** `documents`, `put`. */
  readonly path: readonly string[];
  readonly input: unknown;
  /** Summary of the call in the contract. */
  readonly summary: string;
  /** Whether the call deletes at once: it is confirmed each time, by the name of the connection. */
  readonly isDestructive: boolean;
}

/** Calls that delete data at once. Those that set deadlines are confirmed by their effect [R8]. */
const DESTRUCTIVE: ReadonlySet<string> = new Set([
  'collections.drop',
  'collections.purge',
  'documents.delete',
  'documents.deleteMany',
  'expired.purge',
  'leases.revoke',
]);

/** `trusted`: confirms this write, and all further ones for `TRUSTED_MS`. */
export type WriteAnswer = 'no' | 'yes' | 'trusted';

/** The person declined the confirmation: no call was sent. */
export class Declined extends Error {
  constructor() {
    super(t`It was not confirmed, and nothing was changed.`);
    this.name = 'Declined';
  }
}

export const TRUSTED_MS = 15 * 60_000;
const trustedUntil = createStore<ReadonlyMap<string, number>>(new Map());

const pending = createStore<WriteQuestion | null>(null);
let resolvePending: ((answer: WriteAnswer) => void) | null = null;
let before: Promise<unknown> = Promise.resolve();

export const writeQuestion: ReadableStore<WriteQuestion | null> = pending;
/** End of the period without confirmations, by connection, in ms of the window's monotonic clock. */
export const trustedConnections: ReadableStore<ReadonlyMap<string, number>> = trustedUntil;

export function answerWrite(answer: WriteAnswer): void {
  resolvePending?.(answer);
}

const isTrusted = (connection: string) => (trustedUntil.get().get(connection) ?? 0) > performance.now();

/** Returns the remaining time in which writes need no confirmation, ms; null if they need one. */
export function trustedFor(connection: string): number | null {
  const left = (trustedUntil.get().get(connection) ?? 0) - performance.now();
  return left > 0 ? left : null;
}

export function distrust(connection: string): void {
  const others = new Map(trustedUntil.get());
  others.delete(connection);
  trustedUntil.set(others);
}

/**
 * Returns the contract's summary of a call that writes; null for other calls.
 * @internal
 */
export function writeSummary(path: readonly string[]): string | null {
  const facts = PROCEDURES.get(path.join('.'));
  return facts?.writes === true ? facts.summary : null;
}

function showQuestion(question: WriteQuestion): Promise<WriteAnswer> {
  return new Promise(resolve => {
    resolvePending = answer => {
      resolvePending = null;
      pending.set(null);
      resolve(answer);
    };
    pending.set(question);
  });
}

/** Resolves when the call may be made; throws `Declined` if it may not. At most one confirmation is open. */
export async function confirm(
  session: Pick<StoreSession, 'connection' | 'hasEnded'>,
  path: readonly string[],
  input: unknown,
  action: WriteAction,
): Promise<void> {
  const { connection } = session;
  const record = liveState().connections?.find(({ id }) => id === connection);
  if (record?.environment !== 'production') return;
  const summary = writeSummary(path);
  if (summary === null) return;
  const turn = before.then(async () => {
    const isDestructive = DESTRUCTIVE.has(path.join('.'));
    if (action.isConfirmed || (isTrusted(connection) && !isDestructive)) return true;
    if (session.hasEnded) return false;
    const answer = await showQuestion({ connection: record, path, input, summary, isDestructive });
    if (answer === 'trusted')
      trustedUntil.set(new Map(trustedUntil.get()).set(connection, performance.now() + TRUSTED_MS));
    return answer !== 'no';
  });
  before = turn;
  if (!(await turn)) throw new Declined();
  action.isConfirmed = true;
}

/** Declines the pending confirmation, when the window changes connections. */
export function declineAll(): void {
  resolvePending?.('no');
}
