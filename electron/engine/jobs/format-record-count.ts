import type { Capabilities } from '../../../shared/contract/capabilities.ts';

/** Returns `1 key`, `3 rows`: the number in the engine's own words, as the subject of a job. */
export function formatRecordCount({ words: { record } }: Pick<Capabilities, 'words'>, count: number): string {
  return count === 1 ? `1 ${record}` : `${count} ${record}s`;
}
