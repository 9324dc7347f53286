import { EXPIRATION_MEMBER, exportedExpiration } from '../../../shared/contract/exports.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { instantProblem } from '../../../shared/model/explicit-bounds.ts';
import { isJsonObject, type JsonValue, parseJson } from '../../../shared/model/json/json.ts';
import { withoutMember } from '../../../shared/model/json/member.ts';
import { LAST_INSTANT } from '../../../shared/model/reference-time.ts';
import type { ExpirationOnArrival, ImportedDocument, Incoming } from '../backends/backend.ts';
import type { DocumentText } from './document-splitter.ts';

/** Use of the deadlines of an export by an import. */
export type ImportDeadlines = 'absolute' | 'remaining' | 'none' | 'as field';

const MARK = JSON.stringify(EXPIRATION_MEMBER);

/**
 * Removes `$expiration` from a line of an import and applies it:
 *  - `absolute`: as an explicit expiration; one in the past is due.
 *  - `remaining`: the time that was left at the export, counted from now. Of a deadline from an index only if an
 * index of the target gives the document a deadline too; otherwise its reference time has no meaning, and it gets
 * none.
 *  - `none`: ignored.
 *  - `as field`: stays in the document, as in any other write.
 * A pin stays a pin in the first two. A line without `$expiration` is returned as it is, and so is invalid JSON,
 * which the store refuses.
 */
export function applyExportedExpiration(
  incoming: DocumentText,
  deadlines: ImportDeadlines,
  now: number,
): Incoming {
  const { text, line } = incoming;
  // A name written with an escape is a field of the document.
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
      // The store refuses an invalid instant.
      at: deadlines === 'absolute' || instantProblem(explicit.at) !== null ? explicit.at : left(explicit.at),
      afterMs: after === undefined ? null : Math.round(after * 1000),
      onExpire: explicit.onExpire ?? { action: 'delete' },
    };
  }
  return deadlines === 'remaining' && deadlineAt !== null ? { kind: 'as index', at: left(deadlineAt) } : null;
}

/**
 * Reads a line of an import for a store that is behind a network: its document without `_id` and `$expiration`, and its
 * deadline, also one that a TTL index gave it where it was exported. Throws INVALID_DOCUMENT.
 */
export function importedDocument(
  { text, line }: DocumentText,
  { deadlines, idField }: { deadlines: ImportDeadlines; idField: string | undefined },
  now: number,
): ImportedDocument {
  const value = parsed(text);
  if (!isJsonObject(value)) throw new SandglassError('INVALID_DOCUMENT', 'This is not a JSON object.');
  const { _id, ...document } = value;
  const id = _id ?? (idField === undefined ? undefined : document[idField]);
  if (deadlines === 'as field') return { line, id: idText(id), document, deadline: null };
  const { [EXPIRATION_MEMBER]: exported, ...rest } = document;
  const deadline = deadlines === 'none' ? null : remoteDeadline(exported, deadlines, now);
  return { line, id: idText(id), document: rest, deadline };
}

function remoteDeadline(
  exported: JsonValue | undefined,
  deadlines: 'absolute' | 'remaining',
  now: number,
): ImportedDocument['deadline'] {
  const read = exportedExpiration.safeParse(exported);
  if (!read.success) return null;
  const { explicit, deadlineAt, exportedAt } = read.data;
  if (explicit !== undefined && 'never' in explicit) return 'never';
  const at = explicit?.at ?? deadlineAt;
  if (at === null) return null;
  const isExplicit = explicit !== undefined;
  return { at: deadlines === 'absolute' ? at : now + Math.max(0, at - exportedAt), isExplicit };
}

/** Ids of other systems may be numbers. Throws INVALID_DOCUMENT. */
function idText(id: JsonValue | undefined): string | null {
  if (id === undefined) return null;
  if (typeof id === 'string') return id;
  if (typeof id === 'number' || typeof id === 'bigint') return String(id);
  throw new SandglassError('INVALID_DOCUMENT', '_id must be a text or a number.');
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new SandglassError('INVALID_DOCUMENT', `This is not valid JSON: ${error.message}`);
    throw error;
  }
}

/** Null if the text is no JSON object or has no such member. */
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
