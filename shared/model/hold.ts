import type { Hold } from '../../../../../shared/contract/reaper.ts';
import { durationInWords } from '../../../../../shared/model/duration.ts';
import { formatCount } from '../../../../../shared/model/format.ts';

const MINUTE_MS = 60_000;

/** What a hold is told by. */
export interface HoldFacts {
  cause: Hold['cause'];
  index: string | null;
  due: number;
  documents: number;
  /** How long the store was closed, or how far the clock jumped. */
  ms: number;
}

/** One sentence for a person: what happened, what is due, and what to do. */
export function holdSentence({ cause, index, due, documents, ms }: HoldFacts): string {
  const share = `${formatCount(due)} of ${formatCount(documents)} ${documents === 1 ? 'document' : 'documents'}`;
  const are = due === 1 ? 'is' : 'are';
  const time = durationInWords((Math.round(ms / MINUTE_MS) * MINUTE_MS) / 1000);
  switch (cause) {
    case 'definition':
      return `${index ?? 'An index'} would make ${share} due at once. It has no effect until somebody confirms that.`;
    case 'bulk change':
      return `A bulk change of expirations made ${share} due at once. Nothing leaves until somebody confirms that.`;
    case 'end of hold':
      return `While the clock was wrong, ${share} fell due. Nothing leaves until somebody confirms that.`;
    case 'restored backup':
      return `This was restored, from a backup or after it was dropped, and ${share} ${are} past their deadline. Nothing leaves until somebody confirms that.`;
    case 'import':
      return `An import brought documents whose deadline is past: ${share} ${are} due. Nothing leaves until somebody confirms that.`;
    case 'long closed':
      return `The store was closed for ${time}, and ${share} ${are} due. Nothing leaves until somebody confirms that.`;
    case 'clock forward':
      return `The clock jumped ahead by ${time}. Time goes on from before the jump until somebody confirms that the clock is right; then ${share} would be due.`;
    case 'clock backward':
      return `The clock jumped back by ${time}. Time goes on from before the jump, and nothing leaves, until the clock has caught up or somebody confirms that it is right.`;
  }
}
