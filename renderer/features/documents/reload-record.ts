import { z } from 'zod';
import { instant } from '../../../shared/contract/base.ts';
import type { DocumentRecord } from '../../../shared/contract/documents.ts';
import type { Draft, Drafts } from './editor/drafts.ts';
import type { Staged } from './staging/staged-edits.ts';

/** Beyond this a reload costs some of it: the browser keeps only so much for a page. */
export const MOST_EDITS = 2_000;
export const MOST_CHARACTERS = 2_000_000;

const editSchema = z.union([
  z.object({ kind: z.literal('after'), seconds: z.number() }),
  z.object({ kind: z.literal('at'), at: instant }),
  z.object({ kind: z.literal('never') }),
  z.object({ kind: z.literal('clear') }),
]);
/** What is pending in a collection, without the documents: those are read again. */
const recordSchema = z.object({
  edits: z.array(
    z.object({ _id: z.string(), updatedAt: instant, deadlineAt: instant.nullable(), edit: editSchema }),
  ),
  texts: z.array(z.object({ _id: z.string(), updatedAt: instant, text: z.string() })),
  /** So many more did not fit. */
  more: z.number(),
});
export type ReloadRecord = z.infer<typeof recordSchema>;
type KeptEdit = ReloadRecord['edits'][number];
type KeptText = ReloadRecord['texts'][number];

/** Null where nothing is pending. What was typed comes before what was staged: it is harder to make again. */
export function recordOf(staged: Staged, drafts: Drafts): ReloadRecord | null {
  if (staged.size === 0 && drafts.size === 0) return null;
  let left = MOST_CHARACTERS;
  const texts: KeptText[] = [];
  for (const [_id, { base, text }] of [...drafts].reverse()) {
    if (text.length > left) continue;
    left -= text.length;
    texts.push({ _id, updatedAt: base.updatedAt, text });
  }
  const all = [...staged.values()];
  const edits = all.slice(0, MOST_EDITS).map(({ before: { _id, updatedAt, deadlineAt }, edit }) => ({
    _id,
    updatedAt,
    deadlineAt,
    edit,
  }));
  return { edits, texts: texts.reverse(), more: all.length - edits.length + drafts.size - texts.length };
}

/** Null where it is none of ours. */
export function parseRecord(text: string | null): ReloadRecord | null {
  if (text === null) return null;
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export interface Restored {
  staged: Staged;
  drafts: Drafts;
  /** Edits that are staged no more, since their document changed or left. */
  dropped: number;
}

/**
 * What of a record still holds, by the documents as they are now; undefined is one that left. An edit of a document that
 * was changed is dropped: what was decided was about another. What was typed stays, and is marked as behind.
 */
export function restored(
  { edits, texts }: ReloadRecord,
  now: ReadonlyMap<string, DocumentRecord | undefined>,
): Restored {
  const staged = new Map<string, { before: DocumentRecord; edit: KeptEdit['edit'] }>();
  for (const { _id, updatedAt, deadlineAt, edit } of edits) {
    const before = now.get(_id);
    if (before?.updatedAt === updatedAt && before.deadlineAt === deadlineAt)
      staged.set(_id, { before, edit });
  }
  const drafts = new Map<string, Draft>();
  for (const { _id, updatedAt, text } of texts)
    drafts.set(_id, { base: { ...(now.get(_id) ?? left(_id)), updatedAt }, text });
  return { staged, drafts, dropped: edits.length - staged.size };
}

/** Stands for a document that is gone; what was typed into it can still be copied. */
function left(_id: string): DocumentRecord {
  return {
    _id,
    document: { _id },
    updatedAt: 0,
    deadlineAt: null,
    deadlineFrom: null,
    state: 'never',
    hidden: false,
    bytes: 0,
  };
}
