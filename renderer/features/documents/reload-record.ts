import { z } from 'zod';
import type { DocumentRecord } from '../../../shared/contract/documents.ts';
import { instant } from '../../../shared/contract/procedure-builder.ts';
import type { Draft, Drafts } from './editor/drafts.ts';
import type { Staged } from './staging/staged-edits.ts';

/**
 * Most characters kept over a reload: browsers limit the storage of a page.
 * @internal
 */
export const MOST_EDITS = 2_000;
/** @internal */
export const MOST_CHARACTERS = 2_000_000;

const editSchema = z.union([
  z.object({ kind: z.literal('after'), seconds: z.number() }),
  z.object({ kind: z.literal('at'), at: instant }),
  z.object({ kind: z.literal('never') }),
  z.object({ kind: z.literal('clear') }),
]);
/** Pending changes of a collection, without documents, which are read again. */
const recordSchema = z.object({
  edits: z.array(
    z.object({ _id: z.string(), updatedAt: instant, deadlineAt: instant.nullable(), edit: editSchema }),
  ),
  texts: z.array(z.object({ _id: z.string(), updatedAt: instant, text: z.string() })),
  /** Edits that did not fit. */
  more: z.number(),
});
export type ReloadRecord = z.infer<typeof recordSchema>;
type KeptEdit = ReloadRecord['edits'][number];
type UnsavedText = ReloadRecord['texts'][number];

/** Returns null without pending changes. If not all fit, unsaved text is kept before staged edits. */
export function recordOf(staged: Staged, drafts: Drafts): ReloadRecord | null {
  if (staged.size === 0 && drafts.size === 0) return null;
  let left = MOST_CHARACTERS;
  const texts: UnsavedText[] = [];
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

/**
 * Returns the records of several windows as one, the later ones before the earlier ones: of one document, the last edit
 * and the last text. Records of another format are left out.
 */
export function mergeRecords(records: readonly unknown[]): ReloadRecord | null {
  const edits = new Map<string, KeptEdit>();
  const texts = new Map<string, UnsavedText>();
  let more = 0;
  for (const record of records) {
    const read = recordSchema.safeParse(record);
    if (!read.success) continue;
    for (const edit of read.data.edits) edits.set(edit._id, edit);
    for (const text of read.data.texts) texts.set(text._id, text);
    more += read.data.more;
  }
  if (edits.size === 0 && texts.size === 0 && more === 0) return null;
  return { edits: [...edits.values()], texts: [...texts.values()], more };
}

export interface RestoredChanges {
  staged: Staged;
  drafts: Drafts;
  /** Edits dropped because their document changed or was removed. */
  dropped: number;
}

/**
 * Compares a record with the documents as they are now; undefined: removed. Drops edits of changed documents, because
 * they were made for another state. Keeps unsaved text, marked as based on an older document.
 */
export function restoreRecord(
  { edits, texts }: ReloadRecord,
  now: ReadonlyMap<string, DocumentRecord | undefined>,
): RestoredChanges {
  const staged = new Map<string, { before: DocumentRecord; edit: KeptEdit['edit'] }>();
  for (const { _id, updatedAt, deadlineAt, edit } of edits) {
    const before = now.get(_id);
    if (before?.updatedAt === updatedAt && before.deadlineAt === deadlineAt)
      staged.set(_id, { before, edit });
  }
  const drafts = new Map<string, Draft>();
  for (const { _id, updatedAt, text } of texts)
    drafts.set(_id, { base: { ...(now.get(_id) ?? placeholder(_id)), updatedAt }, text });
  return { staged, drafts, dropped: edits.length - staged.size };
}

/** Placeholder for a removed document, so that its unsaved text can be copied. */
function placeholder(_id: string): DocumentRecord {
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
