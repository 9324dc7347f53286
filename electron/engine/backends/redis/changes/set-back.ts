import type { ChangedDeadline } from '../../port/deadline-undo.ts';
import type { ChosenKey, KeyChange, Refusal } from './bulk-change.ts';

/** A key whose deadline is set back; deadlines in epoch ms by the server's clock, null: none. */
export interface ChangedKey extends ChosenKey, ChangedDeadline {}

const GONE = -2;
const NEVER = -1;

/**
 * Sets back a deadline where it is still the expected one. KEYS[1] is the key, ARGV the expected deadline and the one to
 * set, -1: none. Returns 1, or 0 if the deadline is another one, or the key is gone. Needs PEXPIRETIME (Redis 7.0).
 */
const SET_BACK = `
if redis.call('PEXPIRETIME', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
if ARGV[2] == '-1' then redis.call('PERSIST', KEYS[1]) else redis.call('PEXPIREAT', KEYS[1], ARGV[2]) end
return 1`;

export const SET_BACK_DEADLINE: KeyChange<ChangedKey> = {
  command: ({ key, before, after }) => ['EVAL', SET_BACK, 1, key, after ?? NEVER, before ?? NEVER],
  question: ({ key }) => ['PEXPIRETIME', key],
  verdict(found, { before, after }) {
    if (found === GONE) return 'gone';
    if (found === (before ?? NEVER)) return 'done';
    return found === (after ?? NEVER) ? NOT_SET_BACK : CHANGED_SINCE;
  },
};

const CHANGED_SINCE: Refusal = {
  code: 'EXPECTATION_FAILED',
  message: 'Left unchanged: its deadline was changed again since.',
};

const NOT_SET_BACK: Refusal = {
  code: 'CONNECTION_NOT_OPEN',
  message: 'The connection to the Redis server was lost before its deadline was set back.',
};
