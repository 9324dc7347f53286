import { useSyncExternalStore } from 'react';

/** The file someone wants imported: dropped, picked, or none. The dialog opens while there is one. */
export interface ImportRequest {
  file: File;
  /** The collection that was open, or null. */
  collection: string | null;
}

let request: ImportRequest | null = null;
const listeners = new Set<() => void>();

export function requestImport(next: ImportRequest | null): void {
  request = next;
  for (const listener of listeners) listener();
}

export function useImportRequest(): ImportRequest | null {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => request,
  );
}

/** The system's file picker. */
export function pickFile(collection: string | null): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.ndjson,.jsonl,.json,application/json,application/x-ndjson,text/plain';
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file) requestImport({ file, collection });
  });
  input.click();
}
