/**
 * Every name beside a store's file that belongs to the store: SQLite's own (`-journal`, `-wal`, `-shm`), the lock with its
 * journal, who has it, the list of connections of a home store, and the reserve for a full disk. One list, so that whatever
 * writes a file asks the same one [S2].
 */
export const SIDE_SUFFIXES = [
  '-journal',
  '-wal',
  '-shm',
  '-lock',
  '-lock-journal',
  '-owner',
  '-connections',
  '-reserve',
] as const;

export type SideSuffix = (typeof SIDE_SUFFIXES)[number];

/** The path of one of a store's side files; `storeFile` is its real path, links resolved. */
export function sideFile(storeFile: string, suffix: SideSuffix): string {
  return `${storeFile}${suffix}`;
}
