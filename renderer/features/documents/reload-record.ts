import { z } from 'zod';
import type { DocumentRecord } from '../../../shared/contract/documents.ts';
import { instant } from '../../../shared/contract/schemas/common-schemas.ts';
import { EXPLICIT } from '../../../shared/model/ttl-index.ts';
import type { Draft, Drafts } from './editor/drafts.ts';
import { type ExpirationEdit, editedDeadline } from './expiration/expiration-edit.ts';
import { type Staged, type StagedEdit, unstage } from './staging/staged-edits.ts';
import { NOTHING_WRITTEN, type Written } from './staging/use-apply-staged.ts';

/**
 * Most characters kept over a reload: browsers limit the storage of a page.
 */
export const MOST_EDITS = 2_000;
export const MOST_CHARACTERS = 2_000_000;

const editSchema = z.union([
  z.object({ kind: z.literal('after'), seconds: z.number() }),
  z.object({ kind: z.literal('at'), at: instant }),
  z.object({ kind: z.literal('never') }),
  z.object({ kind: z.literal('clear') }),
]);
const keptEditSchema = z.object({
  _id: z.string(),
  updatedAt: instant,
  deadlineAt: instant.nullable(),
  edit: editSchema,
});
const keptEdits = z.array(keptEditSchema);
/** Pending changes of a collection, without documents, which are read again. */
const recordSchema = z.object({
  edits: keptEdits,
  texts: z.array(z.object({ _id: z.string(), updatedAt: instant, text: z.string() })),
  /** The changes of each undo, the latest last: edits that it sets, and documents whose edit it removes. */
  undo: z.array(z.object({ edits: keptEdits, unstaged: z.array(z.string()) })).default([]),
  /** The edits of the last run, each with the deadline before it. */
  written: z
    .object({
      at: instant,
      elapsedMs: z.number(),
      edits: z.array(keptEditSchema.extend({ deadlineFrom: z.string().nullable() })),
    })
    .nullable()
    .default(null),
  /** Number of edits that did not fit. */
  more: z.number(),
});
export type ReloadRecord = z.infer<typeof recordSchema>;
type KeptEdit = ReloadRecord['edits'][number];
type UnsavedText = ReloadRecord['texts'][number];
type UndoStep = ReloadRecord['undo'][number];

export interface PendingChanges {
  staged: Staged;
  /** The states that undo returns to, the latest last. */
  earlier: readonly Staged[];
  drafts: Drafts;
  /** The last run, which undo reverts. */
  written: Written;
}

/** Returns null without pending changes. If not all fit, unsaved text is kept before staged edits. */
export function recordOf({ staged, earlier, drafts, written: run }: PendingChanges): ReloadRecord | null {
  const undo = undoSteps(staged, earlier);
  const written = keptRun(run);
  if (staged.size === 0 && drafts.size === 0 && undo.length === 0 && written === null) return null;
  let left = MOST_CHARACTERS;
  const texts: UnsavedText[] = [];
  for (const [_id, { base, text }] of [...drafts].reverse()) {
    if (text.length > left) continue;
    left -= text.length;
    texts.push({ _id, updatedAt: base.updatedAt, text });
  }
  const all = [...staged.values()];
  const edits = all.slice(0, MOST_EDITS).map(keptEdit);
  const more = all.length - edits.length + drafts.size - texts.length;
  return { edits, texts: texts.reverse(), undo, written, more };
}

/** Returns null for a run with more edits than are kept, because a part of it cannot be undone alone. */
function keptRun({ at, elapsedMs, edits }: Written): ReloadRecord['written'] {
  if (edits.length === 0 || edits.length > MOST_EDITS) return null;
  const kept = edits.map(one => ({ ...keptEdit(one), deadlineFrom: one.before.deadlineFrom }));
  return { at, elapsedMs, edits: kept };
}

function keptEdit({ before: { _id, updatedAt, deadlineAt }, edit }: StagedEdit): KeptEdit {
  return { _id, updatedAt, deadlineAt, edit };
}

/** Returns the latest steps that fit, each as the difference from the state after it. */
function undoSteps(staged: Staged, earlier: readonly Staged[]): UndoStep[] {
  const steps: UndoStep[] = [];
  let left = MOST_EDITS;
  let after = staged;
  for (const before of [...earlier].reverse()) {
    if (after.size > MOST_EDITS || before.size > MOST_EDITS) break;
    const edits = [...before].filter(([id, one]) => after.get(id) !== one).map(([, one]) => keptEdit(one));
    const unstaged = [...after.keys()].filter(id => !before.has(id));
    left -= edits.length + unstaged.length;
    if (left < 0) break;
    steps.push({ edits, unstaged });
    after = before;
  }
  return steps.reverse();
}

/**
 * Merges the records of several windows into one: of each document, the last edit and the last text. Records of another
 * format are left out.
 */
export function mergeRecords(records: readonly unknown[]): ReloadRecord | null {
  const edits = new Map<string, KeptEdit>();
  const texts = new Map<string, UnsavedText>();
  const undo: UndoStep[] = [];
  let written: ReloadRecord['written'] = null;
  let more = 0;
  for (const record of records) {
    const read = recordSchema.safeParse(record);
    if (!read.success) continue;
    for (const edit of read.data.edits) edits.set(edit._id, edit);
    for (const text of read.data.texts) texts.set(text._id, text);
    undo.push(...read.data.undo);
    written = read.data.written ?? written;
    more += read.data.more;
  }
  if (edits.size + texts.size + undo.length + more === 0 && written === null) return null;
  return { edits: [...edits.values()], texts: [...texts.values()], undo, written, more };
}

/** Returns the documents that a restore compares with those of the record. */
export function idsOf({ edits, texts, undo, written }: ReloadRecord): string[] {
  const all = [edits, texts, written?.edits ?? [], ...undo.map(step => step.edits)].flat();
  return [...new Set(all.map(({ _id }) => _id))];
}

interface RestoredChanges extends PendingChanges {
  /** Edits dropped because their document changed or was removed. */
  dropped: number;
}

/**
 * Compares a record with the documents as they are now; undefined: removed. Drops edits of changed documents, because
 * they were made for another state. Keeps unsaved text, marked as based on an older document.
 */
export function restoreRecord(
  { edits, texts, undo, written }: ReloadRecord,
  now: ReadonlyMap<string, DocumentRecord | undefined>,
): RestoredChanges {
  const unchanged = (kept: readonly KeptEdit[]): [string, StagedEdit][] =>
    kept.flatMap(({ _id, updatedAt, deadlineAt, edit }) => {
      const before = now.get(_id);
      const isUnchanged = before?.updatedAt === updatedAt && before.deadlineAt === deadlineAt;
      return isUnchanged ? [[_id, { before, edit }]] : [];
    });
  const staged: Staged = new Map(unchanged(edits));
  const drafts = new Map<string, Draft>();
  for (const { _id, updatedAt, text } of texts)
    drafts.set(_id, { base: { ...(now.get(_id) ?? placeholder(_id)), updatedAt }, text });
  const earlier: Staged[] = [];
  let after = staged;
  for (const step of [...undo].reverse()) {
    const set = unchanged(step.edits);
    const unstaged = step.unstaged.filter(id => after.has(id));
    // An undo of dropped edits would change nothing.
    if (set.length === 0 && unstaged.length === 0) continue;
    after = new Map([...unstage(after, unstaged), ...set]);
    earlier.unshift(after);
  }
  return { staged, earlier, drafts, written: restoredRun(written, now), dropped: edits.length - staged.size };
}

/** Leaves out documents that were written, or got another expiration, since the run. */
function restoredRun(
  written: ReloadRecord['written'],
  now: ReadonlyMap<string, DocumentRecord | undefined>,
): Written {
  if (written === null) return NOTHING_WRITTEN;
  const edits = written.edits.flatMap(({ _id, updatedAt, deadlineAt, deadlineFrom, edit }): StagedEdit[] => {
    const document = now.get(_id);
    if (document?.updatedAt !== updatedAt || !hasExpiration(document, edit, written.at)) return [];
    return [{ before: { ...document, deadlineAt, deadlineFrom }, edit }];
  });
  return { ...written, edits };
}

/**
 * Largest difference between the window's estimate of the instant that durations count from and the engine's instant,
 * ms.
 */
const CLOCK_SLACK_MS = 60_000;

function hasExpiration(
  { deadlineAt, deadlineFrom }: DocumentRecord,
  edit: ExpirationEdit,
  at: number,
): boolean {
  const expected = editedDeadline(edit, at);
  if (expected === 'index') return deadlineFrom !== EXPLICIT;
  if (deadlineFrom !== EXPLICIT) return false;
  if (expected === 'never') return deadlineAt === null;
  return deadlineAt !== null && Math.abs(deadlineAt - expected) <= CLOCK_SLACK_MS;
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
