import { admits, type DeadlineCondition } from '../../../../../shared/model/deadline-condition.ts';
import type { KeyChange, Refusal } from './bulk-change.ts';

const GONE = -2;
const NEVER = -1;

const UNMET: Readonly<Record<DeadlineCondition, string>> = {
  NX: 'It has a deadline already.',
  XX: 'It has no deadline.',
  GT: 'Its deadline is not earlier.',
  LT: 'Its deadline is not later.',
};

export interface DeadlineChangeOptions {
  /** Redis 7.0 and later. */
  readonly only?: DeadlineCondition | undefined;
  /** False before Redis 7.0: the remaining time then shows, to a second, whether the deadline was set. */
  readonly hasExpireTime: boolean;
  /** Epoch ms by the server's clock. */
  readonly serverNow: () => number;
}

/**
 * Sets a deadline, epoch ms by the server's clock. With an instant, unlike a duration, a later read shows whether it
 * was set.
 */
export function deadlineChange(
  at: number,
  { only, hasExpireTime, serverNow }: DeadlineChangeOptions,
): KeyChange {
  const isAsWanted = (found: number) =>
    hasExpireTime ? found === at : found >= 0 && Math.abs(serverNow() + found - at) < 1_000;
  return {
    command: ({ key }) => (only === undefined ? ['PEXPIREAT', key, at] : ['PEXPIREAT', key, at, only]),
    question: ({ key }) => [hasExpireTime ? 'PEXPIRETIME' : 'PTTL', key],
    verdict(found, _key, wasAnswered) {
      if (found === GONE) return 'gone';
      if (only !== undefined && wasAnswered) return unmet(only);
      if (isAsWanted(found)) return 'done';
      // Without a reply, the deadline as it is shows whether the condition was met.
      const before = found === NEVER ? null : found;
      return only !== undefined && !admits(only, before, at) ? unmet(only) : NOT_CHANGED;
    },
  };
}

function unmet(only: DeadlineCondition): Refusal {
  return { code: 'EXPECTATION_FAILED', message: `Left unchanged: ${UNMET[only]}` };
}

const NOT_CHANGED: Refusal = {
  code: 'CONNECTION_NOT_OPEN',
  message: 'The connection to the Redis server was lost before it was changed.',
};

/** Clears the deadline; the key never expires. A key without one stays as it is. */
export const CLEAR_DEADLINE: KeyChange = {
  command: ({ key }) => ['PERSIST', key],
  question: ({ key }) => ['PTTL', key],
  verdict: found => (found === NEVER ? 'done' : found === GONE ? 'gone' : NOT_CLEARED),
};

const NOT_CLEARED: Refusal = {
  code: 'CONNECTION_NOT_OPEN',
  message: 'The connection to the Redis server was lost before its deadline was cleared.',
};

/** Deletes the key; its memory is freed in the background. */
export const DELETE_KEY: KeyChange = {
  command: ({ key }) => ['UNLINK', key],
  question: ({ key }) => ['EXISTS', key],
  // UNLINK returned 0, or got no reply. In both cases a key that does not exist now is deleted.
  verdict: found => (found === 0 ? 'done' : NOT_DELETED),
};

const NOT_DELETED: Refusal = {
  code: 'CONNECTION_NOT_OPEN',
  message: 'The connection to the Redis server was lost before it was deleted.',
};
