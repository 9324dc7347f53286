/** Pending changes of one window in one part of one store. */
export interface PendingEntry {
  store: string;
  /** The part that wrote them: `documents of sessions`. */
  part: string;
  window: string;
  /** Time of the last change, epoch ms on the machine's clock. */
  keptAt: number;
  /** Content, read by the feature that wrote it. */
  record: unknown;
}

type PendingKey = Pick<PendingEntry, 'store' | 'part' | 'window'>;

const NAME = 'sandglass';
const VERSION = 1;
const TABLE = 'pending';
const KEEP_MS = 7 * 86_400_000;

let opened: Promise<IDBDatabase> | null = null;

/** Pending changes are kept in IndexedDB for 7 days. */
function database(): Promise<IDBDatabase> {
  opened ??= open().catch(error => {
    opened = null;
    throw error;
  });
  return opened;
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, VERSION);
  request.onupgradeneeded = () =>
    request.result.createObjectStore(TABLE, { keyPath: ['store', 'part', 'window'] });
  const db = await answerOf(request);
  // Another window deletes or upgrades the database: the next call opens it again.
  db.onversionchange = () => {
    db.close();
    opened = null;
  };
  db.onclose = () => {
    opened = null;
  };
  await change(db, (table, entries) => {
    for (const entry of entries) if (entry.keptAt < Date.now() - KEEP_MS) table.delete(keyOf(entry));
  });
  return db;
}

const keyOf = ({ store, part, window }: PendingKey) => [store, part, window];

/**
 * Returns the entries of this window and those of closed windows, oldest first, and stores `merge` of their records as
 * the entry of this window. All in one transaction, so that two windows do not take over the same entry.
 */
export async function takeOver<Record>(
  own: PendingKey,
  openWindows: ReadonlySet<string> | null,
  merge: (records: readonly unknown[]) => Record | null,
): Promise<Record | null> {
  let merged: Record | null = null;
  await change(await database(), (table, entries) => {
    const taken = entries
      .filter(({ store, part }) => store === own.store && part === own.part)
      .filter(({ window }) => window === own.window || openWindows?.has(window) === false)
      .sort((a, b) => a.keptAt - b.keptAt);
    if (taken.length === 0) return;
    merged = merge(taken.map(({ record }) => record));
    for (const entry of taken) table.delete(keyOf(entry));
    const keptAt = taken.at(-1)?.keptAt ?? Date.now();
    if (merged !== null) table.put({ ...own, keptAt, record: merged });
  });
  return merged;
}

/** Stores the changes of a window; null deletes them. Rejects with a QuotaExceededError if there is no space. */
export async function keepPending(own: PendingKey, record: object | null): Promise<void> {
  const db = await database();
  const transaction = db.transaction(TABLE, 'readwrite');
  const table = transaction.objectStore(TABLE);
  if (record === null) table.delete(keyOf(own));
  else table.put({ ...own, keptAt: Date.now(), record } satisfies PendingEntry);
  // Committed at once, because in a closing window no further code runs.
  transaction.commit();
  await endOf(transaction);
}

/** Deletes the changes of every window in one store. */
export async function deletePending(store: string): Promise<void> {
  const db = await database();
  const transaction = db.transaction(TABLE, 'readwrite');
  transaction.objectStore(TABLE).delete(IDBKeyRange.bound([store], [store, []]));
  await endOf(transaction);
}

async function change(
  db: IDBDatabase,
  apply: (table: IDBObjectStore, entries: readonly PendingEntry[]) => void,
): Promise<void> {
  const transaction = db.transaction(TABLE, 'readwrite');
  const table = transaction.objectStore(TABLE);
  const request: IDBRequest<PendingEntry[]> = table.getAll();
  request.onsuccess = () => apply(table, request.result);
  await endOf(transaction);
}

function answerOf<Answer>(request: IDBRequest<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function endOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}
