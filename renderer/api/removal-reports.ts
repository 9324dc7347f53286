import { createEmitter } from '../state/emitter.ts';
import { engineNow } from './engine-clock.ts';
import { liveState } from './live-store.ts';

/** Documents removed because of a person's action, not by the schedule of an index. */
export interface CausedRemoval {
  collection: string;
  cause: 'expired' | 'deleted';
  /** The index that removes them, or `explicit`; absent: any. */
  index?: string;
  /** Start of the span of removal times, epoch ms. */
  from: number;
  /** Latest deadline of the documents, epoch ms; absent: they are due at once. */
  dueAt?: number;
  /** Whether at least one document is removed for certain. */
  isCertain?: boolean;
  /** The job that removes them, or after which they are removed. */
  job?: string | null;
}

const caused = createEmitter<CausedRemoval>();
const offered = createEmitter();

/** Reports a removal: when it has ended, its count is shown, with a way to restore the documents. */
export const reportRemoval = caused.emit;
export const onCausedRemoval: (listener: (removal: CausedRemoval) => void) => () => void = caused.subscribe;

/** Offers to restore the documents of the last reported removal. */
export const offerLastRemoval = offered.emit;
export const onLastRemovalOffered: (listener: () => void) => () => void = offered.subscribe;

/** Collections whose removals are reported one by one after an action on the whole store. */
const MOST_REPORTED = 4;

/** Runs an action after which overdue documents are removed, and reports their removal. */
export async function reportingRemovals<Answer>(
  { collection, index }: { collection?: string; index?: string },
  act: () => Promise<Answer>,
): Promise<Answer> {
  const from = engineNow();
  const late = [...(liveState().collections?.values() ?? [])]
    .filter(({ name, overdue }) => name === collection || (collection === undefined && overdue > 0))
    .slice(0, MOST_REPORTED)
    .map(({ name }) => name);
  const answer = await act();
  for (const name of late)
    reportRemoval({ collection: name, cause: 'expired', from, ...(index !== undefined && { index }) });
  return answer;
}
