import type { Commit } from '../backends/backend.ts';

type Change = Commit['changes'][number];

/** A change of a mirror in progress, which becomes one commit. */
export interface MirrorWriting {
  readonly revision: number;
  readonly now: number;
  /** Keys that are put were found by a scan and not written: only the names of their collections are noted. */
  readonly isScanning: boolean;
  readonly collections: Set<string>;
  readonly changes: Change[];
}

/** Notes a change of a key that was put. */
export function noteChange(writing: MirrorWriting, change: Change): void {
  writing.collections.add(change.collection);
  if (!writing.isScanning) writing.changes.push(change);
}
