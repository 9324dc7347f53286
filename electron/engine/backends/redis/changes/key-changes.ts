import type { KeyChange, Refusal } from './bulk-change.ts';

const GONE = -2;
const NEVER = -1;

/** Changes only keys without a deadline, with one, with an earlier one, or with a later one. */
export type DeadlineCondition = 'NX' | 'XX' | 'GT' | 'LT';

const UNMET: Readonly<Record<DeadlineCondition, string>> = {
  NX: 'It has a deadline already.',
  XX: 'It has no deadline.',
  GT: 'Its deadline is not earlier.',
  LT: 'Its deadline is not later.',
};

export interface DeadlineChangeOptions {
  readonly only?: DeadlineCondition;
  /** False before Redis 7.0: whether the deadline was set is then read from the time that is left, to a second. */
  readonly hasExpireTime: boolean;
  /** Epoch ms by the server's clock. */
  readonly serverNow: () => number;
}

/** Sets a deadline, epoch ms by the server's clock. An instant and not a duration: asked again, it tells whether it was set. */
export function deadlineChange(
  at: number,
  { only, hasExpireTime, serverNow }: DeadlineChangeOptions,
): KeyChange {
  const refusal: Refusal =
    only === undefined
      ? {
          code: 'CONNECTION_NOT_OPEN',
          message: 'The connection to the Redis server was lost before it was changed.',
        }
      : { code: 'EXPECTATION_FAILED', message: `Left unchanged: ${UNMET[only]}` };
  const isAsWanted = (found: number) =>
    hasExpireTime ? found === at : found >= 0 && Math.abs(serverNow() + found - at) < 1_000;
  return {
    command: key => (only === undefined ? ['PEXPIREAT', key, at] : ['PEXPIREAT', key, at, only]),
    question: key => [hasExpireTime ? 'PEXPIRETIME' : 'PTTL', key],
    verdict: found => (found === GONE ? 'gone' : isAsWanted(found) ? 'done' : refusal),
  };
}

/** Clears the deadline; the key never expires. A key without one stays as it is. */
export const CLEAR_DEADLINE: KeyChange = {
  command: key => ['PERSIST', key],
  question: key => ['PTTL', key],
  verdict: found => (found === NEVER ? 'done' : found === GONE ? 'gone' : NOT_CLEARED),
};

const NOT_CLEARED: Refusal = {
  code: 'CONNECTION_NOT_OPEN',
  message: 'The connection to the Redis server was lost before its deadline was cleared.',
};

/** Deletes the key; its memory is freed in the background. */
export const DELETE_KEY: KeyChange = {
  command: key => ['UNLINK', key],
  question: key => ['EXISTS', key],
  // 0 without a lost connection means that the key was gone before.
  verdict: found => (found === 0 ? 'done' : NOT_DELETED),
};

const NOT_DELETED: Refusal = {
  code: 'CONNECTION_NOT_OPEN',
  message: 'The connection to the Redis server was lost before it was deleted.',
};
