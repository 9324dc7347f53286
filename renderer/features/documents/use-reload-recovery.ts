import { plural, t } from '@lingui/core/macro';
import { useMemo } from 'react';
import type { DocumentRecord } from '../../../shared/contract/documents.ts';
import { client, problemOf, useKeptChanges } from '../../api.ts';
import { showNotKept } from '../../components/overlays/show-not-kept.ts';
import { showToast } from '../../components/overlays/toast-store.ts';
import { formatCount } from '../../i18n/format.ts';
import { draftsOf, keepDraft, useDrafts } from './editor/drafts.ts';
import {
  idsOf,
  MOST_CHARACTERS,
  MOST_EDITS,
  mergeRecords,
  type ReloadRecord,
  recordOf,
  restoreRecord,
} from './reload-record.ts';
import type { StagedEdits } from './staging/staged-store.ts';
import type { AppliedStaged } from './staging/use-apply-staged.ts';

const MOST_READ_AT_ONCE = 100;

/** Restores staged edits, the states of undo, and unsaved text after a reload or a crash. */
export function useReloadRecovery(
  collection: string,
  { staged, earlier, restore }: StagedEdits,
  { written, restore: restoreWritten }: AppliedStaged,
): void {
  const drafts = useDrafts(collection);
  const record = useMemo(
    () => recordOf({ staged, earlier, drafts, written }),
    [staged, earlier, drafts, written],
  );
  useKeptChanges<ReloadRecord>({
    part: `documents of ${collection}`,
    record,
    isUnsaved: staged.size > 0 || drafts.size > 0,
    merge: mergeRecords,
    onNotKept: showNotKept,
    async restore(kept) {
      const found = restoreRecord(kept, await readDocuments(collection, kept));
      return () => {
        restore(found.staged, found.earlier);
        if (found.written.edits.length > 0) restoreWritten(found.written);
        for (const [id, draft] of found.drafts)
          if (!draftsOf(collection).has(id)) keepDraft(collection, id, draft);
        showDropped(found.dropped, kept.more);
      };
    },
  });
}

async function readDocuments(
  collection: string,
  record: ReloadRecord,
): Promise<ReadonlyMap<string, DocumentRecord | undefined>> {
  const ids = idsOf(record);
  const found = new Map<string, DocumentRecord | undefined>();
  for (let from = 0; from < ids.length; from += MOST_READ_AT_ONCE) {
    const part = ids.slice(from, from + MOST_READ_AT_ONCE);
    const answers = await Promise.all(part.map(id => readDocument(collection, id)));
    for (const [i, id] of part.entries()) found.set(id, answers[i]);
  }
  return found;
}

/** Returns undefined for a removed document. Rejects while the engine is not connected. */
async function readDocument(collection: string, id: string): Promise<DocumentRecord | undefined> {
  try {
    return await client.documents.get({ collection, id, includeExpired: true });
  } catch (error) {
    if (problemOf(error).code === 'DOCUMENT_NOT_FOUND') return undefined;
    throw error;
  }
}

function showDropped(dropped: number, more: number): void {
  if (dropped > 0) {
    showToast({
      kind: 'info',
      title: t`${plural(dropped, { one: '# staged edit', other: '# staged edits' })} dropped`,
      detail: plural(dropped, {
        one: 'Its document changed, expired or was deleted. Nothing was written.',
        other: 'Their documents changed, expired or were deleted. Nothing was written.',
      }),
    });
  }
  if (more > 0) {
    showToast({
      kind: 'error',
      title: t`${formatCount(more)} lost in the reload`,
      detail: t`A reload keeps up to ${formatCount(MOST_EDITS)} staged edits and ${formatCount(MOST_CHARACTERS)} characters of text.`,
    });
  }
}
