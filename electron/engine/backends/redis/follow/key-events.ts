import type { DepartureCause } from '../../../deadline-mirror/mirrored-key.ts';

/** The effect of a key's event on its mirrored deadline. */
export type EventMeaning = { is: 'gone'; cause: DepartureCause } | { is: 'changed' } | { is: 'touched' };

const GONE: Readonly<Record<string, DepartureCause>> = {
  expired: 'expired',
  evicted: 'evicted',
  del: 'deleted',
  // The key has another name or another database from now on; its mirrored key is gone.
  rename_from: 'deleted',
  move_from: 'deleted',
};

/**
 * Writes into an existing value, which change neither deadline nor type. All other events may change them: `set` clears
 * a deadline.
 */
const TOUCHING = new Set(
  `append setrange setbit incrby incrbyfloat decrby lpush rpush lpop rpop linsert lset lrem ltrim
  sadd srem spop hset hincrby hincrbyfloat hdel hexpire hpersist hexpired zadd zincr zrem zrembyrank zrembyscore zrembylex zpopmin zpopmax
  xadd xtrim xdel xsetid xgroup-create xgroup-createconsumer xgroup-delconsumer xgroup-destroy xgroup-setid xclaim xautoclaim
  pfadd keymiss`.split(/\s+/),
);

/** Returns the effect of an event. A `touched` key needs to be read only if it is new. */
export function meaningOf(event: string): EventMeaning {
  const cause = GONE[event];
  if (cause !== undefined) return { is: 'gone', cause };
  return { is: TOUCHING.has(event) ? 'touched' : 'changed' };
}
