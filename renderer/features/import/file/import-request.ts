import { t } from '@lingui/core/macro';
import { desktopFileDialog } from '../../../api.ts';
import { chooseFile } from '../../../components/choose-file.ts';
import { showToast } from '../../../components/overlays/toast-store.ts';
import { createStore, useStore } from '../../../state/store.ts';

/** The file to import, or none. The dialog is open while there is one. */
export interface ImportRequest {
  file: File;
  /** Target collection; null: named by the file. */
  collection: string | null;
}

const request = createStore<ImportRequest | null>(null);

export const requestImport: (next: ImportRequest | null) => void = request.set;

export function useImportRequest(): ImportRequest | null {
  return useStore(request);
}

const ACCEPTED = '.ndjson,.jsonl,.json,.csv,.tsv,application/json,application/x-ndjson,text/csv,text/plain';

/** Opens the desktop's file dialog or, in a browser, the browser's. */
export function pickFile(collection: string | null): void {
  const choose = desktopFileDialog() ?? (() => chooseFile(ACCEPTED));
  void choose().then(
    file => file && requestImport({ file, collection }),
    (error: unknown) =>
      showToast({
        kind: 'error',
        title: t`The file was not opened`,
        detail: error instanceof Error ? error.message : String(error),
      }),
  );
}
