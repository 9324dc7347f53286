import { useEffect, useEffectEvent, useState } from 'react';
import type { DocumentRecord } from '../../../shared/contract/documents.ts';
import { client, problemOf, useLive } from '../../api.ts';
import { showToast } from '../../components/overlays/toast-store.ts';
import { formatCount } from '../../i18n/format.ts';
import { type Drafts, draftsOf, keepDraft, useDrafts } from './editor/drafts.ts';
import {
  parseRecord,
  type ReloadRecord,
  type RestoredChanges,
  recordOf,
  restoreRecord,
} from './reload-record.ts';
import type { Staged } from './staging/staged-edits.ts';
import type { StagedEdits } from './staging/staged-store.ts';

const TYPING_MS = 300;
const MOST_READ_AT_ONCE = 100;

/** The record is read once per page load; after that everything is in memory. */
const read = new Set<string>();

/** Restores staged edits and unsaved text after a reload of the tab. */
export function useReloadRecovery(collection: string, { staged, settle }: StagedEdits): void {
  const file = useLive(({ store }) => store?.file ?? null);
  const key = file === null ? null : `sandglass.pending ${file} ${collection}`;
  const drafts = useDrafts(collection);
  const [ready, setReady] = useState<string | null>(null);
  const keepPending = useEffectEvent((name: string) => keep(name, { staged, drafts }));

  useEffect(() => {
    if (key === null) return;
    let isUnmounted = false;
    const put = ({ staged: edits, drafts: texts }: RestoredChanges) => {
      if (edits.size > 0) settle(current => new Map([...edits, ...current]));
      for (const [id, draft] of texts) if (!draftsOf(collection).has(id)) keepDraft(collection, id, draft);
    };
    const record = read.has(key) ? null : parseRecord(sessionStorage.getItem(key));
    const begin = async () => {
      if (record !== null) {
        const found = restoreRecord(record, await readDocuments(collection, record));
        if (isUnmounted) return;
        put(found);
        showDropped(found.dropped, record.more);
      }
      read.add(key);
      if (!isUnmounted) setReady(key);
    };
    // Documents that cannot be read now are tried again at the next start.
    begin().catch(() => {});
    return () => {
      isUnmounted = true;
    };
  }, [key, collection, settle]);

  const isReady = key !== null && ready === key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: saves when pending changes do
  useEffect(() => {
    if (!isReady) return;
    const timer = setTimeout(() => keepPending(key), TYPING_MS);
    return () => clearTimeout(timer);
  }, [isReady, key, staged, drafts]);
  useEffect(() => {
    if (!isReady) return;
    const keepNow = () => keepPending(key);
    addEventListener('pagehide', keepNow);
    return () => {
      removeEventListener('pagehide', keepNow);
      keepNow();
    };
  }, [isReady, key]);
}

function keep(key: string, { staged, drafts }: { staged: Staged; drafts: Drafts }): void {
  const record = recordOf(staged, drafts);
  try {
    if (record === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(record));
  } catch {
    // The storage is full: pending changes do not survive a reload.
    sessionStorage.removeItem(key);
  }
}

async function readDocuments(
  collection: string,
  { edits, texts }: ReloadRecord,
): Promise<ReadonlyMap<string, DocumentRecord | undefined>> {
  const ids = [...new Set([...edits, ...texts].map(({ _id }) => _id))];
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
  const ones = (count: number) => `${formatCount(count)} staged edit${count === 1 ? '' : 's'}`;
  if (dropped > 0) {
    showToast({
      kind: 'info',
      title: `${ones(dropped)} dropped`,
      detail: `${dropped === 1 ? 'Its document' : 'Their documents'} changed, expired or were deleted. Nothing was written.`,
    });
  }
  if (more > 0) {
    showToast({
      kind: 'info',
      title: `${formatCount(more)} lost in the reload`,
      detail: 'A reload keeps up to 2,000 staged edits and 2 million characters of text.',
    });
  }
}
