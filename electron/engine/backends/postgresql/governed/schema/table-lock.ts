/** First half of the key of an advisory lock: a table in which the reaper or a change of expirations is at work. */
const TABLE_LOCKS = 0x53474c01;

/**
 * Returns the statement that locks a table against the reaper's next batch until the transaction ends. The lock is taken
 * by a statement of its own: the one that follows sees what its last holder has committed.
 */
export function lockTableSql(oid: number): string {
  // The second half of the key is signed.
  return `SELECT pg_advisory_xact_lock(${TABLE_LOCKS}, ${oid | 0})`;
}
