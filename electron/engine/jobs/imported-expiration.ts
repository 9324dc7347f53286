import { EXPIRATION_MEMBER, exportedExpiration } from '../../../shared/contract/exported-expiration.ts';
import { instantProblem } from '../../../shared/model/explicit-bounds.ts';
import { parseJson } from '../../../shared/model/json/json.ts';
import { withoutMember } from '../../../shared/model/json/member.ts';
import { LAST_INSTANT } from '../../../shared/model/reference-time.ts';
import type { ExpirationOnArrival, Incoming } from '../backends/backend.ts';
import type { DocumentText } from './document-splitter.ts';

/** What an import takes over of the deadlines that an export kept. */
export type ImportDeadlines = 'absolute' | 'remaining' | 'none' | 'as field';

const MARK = JSON.stringify(EXPIRATION_MEMBER);

/**
 * A line of an import without its `$expiration`, and what that means for the document now:
 *  - `absolute`: an expiration set by hand, as it is; one that is past by now is due.
 *  - `remaining`: the time that was left at the export, counted from now. For a deadline that an index gave, this
 *    counts only where an index of the target would give the document a deadline too: elsewhere its reference time
 *    means nothing, and it gets none.
 *  - `none`: nothing.
 *  - `as field`: it stays in the document, as in any write that is no import.
 * A pin stays a pin in both. One without `$expiration` is imported as it is, and so is one that is no JSON, which is
 * for the store to refuse.
 */
export function takeExpiration(incoming: DocumentText, deadlines: ImportDeadlines, now: number): Incoming {
  const { text, line } = incoming;
  // Written with an escape it is somebody else's, and stays.
  if (deadlines === 'as field' || !text.includes(MARK)) return incoming;
  const kept = read(text);
  if (kept === null) return incoming;
  const rest = withoutMember(text, EXPIRATION_MEMBER);
  const expiration = deadlines === 'none' ? null : onArrival(kept.value, deadlines, now);
  return expiration === null ? { text: rest, line } : { text: rest, line, expiration };
}

function onArrival(
  value: unknown,
  deadlines: 'absolute' | 'remaining',
  now: number,
): ExpirationOnArrival | null {
  const read = exportedExpiration.safeParse(value);
  if (!read.success) return null;
  const { explicit, after, deadlineAt, exportedAt } = read.data;
  if (explicit !== undefined && 'never' in explicit) return { kind: 'pin' };
  const left = (at: number) => Math.min(now + Math.max(0, at - exportedAt), LAST_INSTANT);
  if (explicit !== undefined) {
    return {
      kind: 'at',
      // One that is no instant at all is for the store to refuse.
      at: deadlines === 'absolute' || instantProblem(explicit.at) !== null ? explicit.at : left(explicit.at),
      afterMs: after === undefined ? null : Math.round(after * 1000),
      onExpire: explicit.onExpire ?? { action: 'delete' },
    };
  }
  return deadlines === 'remaining' && deadlineAt !== null ? { kind: 'as index', at: left(deadlineAt) } : null;
}

/** Null where the text is no JSON object or has no such member of its own. */
function read(text: string): { value: unknown } | null {
  try {
    const value = parseJson(text);
    return typeof value === 'object' && value !== null && Object.hasOwn(value, EXPIRATION_MEMBER)
      ? { value: Reflect.get(value, EXPIRATION_MEMBER) }
      : null;
  } catch {
    return null;
  }
}
