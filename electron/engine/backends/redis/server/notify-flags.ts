/** The events that a server's `notify-keyspace-events` covers. */
export interface NotificationCoverage {
  /** Every change of a deadline, and every new and every gone key, is reported. */
  readonly isComplete: boolean;
  /** Expiries are reported, so their lag can be measured. */
  readonly expiries: boolean;
  /** Value to set so that all of these events are reported; includes the flags that are set already. */
  readonly wanted: string;
}

/** Classes in `A`. */
const ALL = 'g$lshztxed';
/**
 * Generic commands, strings, lists, sets, sorted sets, expired, evicted. SORT … STORE, SUNIONSTORE and ZUNIONSTORE
 * replace another key with its deadline, and notify only in the class of their type.
 */
const DEADLINES = 'g$lszxe';
/** Event classes of the other types that a new key may have; needed if the server has no class for new keys. */
const OTHER_TYPES = 'ht';
/** Class for new keys, from Redis 7.0 on; not in `A`. */
const NEW_KEYS = 'n';

/**
 * Reads the flags of `notify-keyspace-events`. A server with the class for new keys needs no event of each write to
 * a hash or stream: such a write changes no deadline.
 */
export function notificationCoverage(flags: string, hasNewKeyClass: boolean): NotificationCoverage {
  const set = new Set(flags.replace('A', ALL));
  const has = (classes: string) => [...classes].every(one => set.has(one));
  const newKeys = (hasNewKeyClass && has(NEW_KEYS)) || has(OTHER_TYPES);
  const missing = `E${DEADLINES}${newKeys ? '' : hasNewKeyClass ? NEW_KEYS : OTHER_TYPES}`;
  return {
    isComplete: has(`E${DEADLINES}`) && newKeys,
    expiries: has('Ex'),
    wanted: flags + [...missing].filter(one => !set.has(one)).join(''),
  };
}
