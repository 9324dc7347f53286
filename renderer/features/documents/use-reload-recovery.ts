import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { DocumentRecord } from '../../../shared/contract/documents.ts';
import { client, problemOf, useCurrentConnection, useLive } from '../../api.ts';
import { showToast } from '../../components/overlays/toast-store.ts';
import { formatCount } from '../../i18n/format.ts';
import { useKeepsProduction } from '../../state/kept-production.ts';
import { keepPending, takeOver } from '../../state/pending-database.ts';
import { openWindows, windowId } from '../../state/window-id.ts';
import { draftsOf, keepDraft, useDrafts } from './editor/drafts.ts';
import {
  MOST_CHARACTERS,
  MOST_EDITS,
  mergeRecords,
  type ReloadRecord,
  type RestoredChanges,
  recordOf,
  restoreRecord,
} from './reload-record.ts';
import type { StagedEdits } from './staging/staged-store.ts';

const MOST_READ_AT_ONCE = 100;

/** The record is read once per page load; after that everything is in memory. */
const read = new Set<string>();

/**
 * Restores staged edits and unsaved text after a reload or a crash, also those of windows that are closed now. Each window
 * keeps its own. Those of production are kept if the person chose so; before unkept ones are lost, the browser asks.
 */
export function useReloadRecovery(collection: string, { staged, settle }: StagedEdits): void {
  const store = useLive(state => state.store?.file ?? null);
  const [keepsProduction] = useKeepsProduction();
  const isProduction = useCurrentConnection()?.environment === 'production';
  const isKept = !isProduction || keepsProduction;
  const key = store === null || !isKept ? null : `${store}\n${collection}`;
  const drafts = useDrafts(collection);
  const [ready, setReady] = useState<string | null>(null);
  const [isFull, setFull] = useState(false);
  const isWriting = useRef(false);
  const isChanged = useRef(false);

  const put = useEffectEvent(({ staged: edits, drafts: texts }: RestoredChanges) => {
    if (edits.size > 0) settle(current => new Map([...edits, ...current]));
    for (const [id, draft] of texts) if (!draftsOf(collection).has(id)) keepDraft(collection, id, draft);
  });
  useEffect(() => {
    if (key === null || store === null) return;
    let isUnmounted = false;
    const begin = async () => {
      if (!read.has(key)) {
        const own = { store, collection, window: await windowId() };
        const record = await takeOver(own, await openWindows(), mergeRecords);
        if (record !== null) {
          const found = restoreRecord(record, await readDocuments(collection, record));
          if (isUnmounted) return;
          put(found);
          showDropped(found.dropped, record.more);
        }
      }
      read.add(key);
      if (!isUnmounted) setReady(key);
    };
    // Documents that cannot be read now are tried again at the next start: until then nothing is overwritten.
    begin().catch(reportError);
    return () => {
      isUnmounted = true;
    };
  }, [key, store, collection]);

  const keep = useEffectEvent(async () => {
    if (store === null) return;
    isChanged.current = true;
    if (isWriting.current) return;
    isWriting.current = true;
    try {
      while (isChanged.current) {
        isChanged.current = false;
        await keepPending({ store, collection, window: await windowId() }, latest());
      }
      setFull(false);
    } catch (error) {
      if (!isFull) showNotKept(error);
      setFull(true);
    } finally {
      isWriting.current = false;
    }
  });
  const latest = useEffectEvent(() => recordOf(staged, drafts));
  const isReady = key !== null && ready === key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: keeps when pending changes do
  useEffect(() => {
    if (isReady) void keep();
  }, [isReady, key, staged, drafts]);

  const isAtRisk = (!isKept || isFull) && (staged.size > 0 || drafts.size > 0);
  useEffect(() => {
    if (!isAtRisk) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isAtRisk]);
}

function showNotKept(error: unknown): void {
  const isQuota = error instanceof DOMException && error.name === 'QuotaExceededError';
  showToast({
    kind: 'error',
    title: 'Pending changes would not survive a reload',
    detail: isQuota
      ? "The browser's storage for this page is full. Apply or save them, or free space on the disk."
      : `They could not be stored: ${problemOf(error).message}`,
  });
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
      kind: 'error',
      title: `${formatCount(more)} lost in the reload`,
      detail: `A reload keeps up to ${formatCount(MOST_EDITS)} staged edits and ${formatCount(MOST_CHARACTERS)} characters of text.`,
    });
  }
}
