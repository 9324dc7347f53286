import { t } from '@lingui/core/macro';
import { NotConnected, problemOf } from '../../../api.ts';
import type { Toast } from '../../../components/overlays/toast-store.ts';
import type { ImportEnd } from './import-end.ts';

/** Returns the reason why an import stopped. */
export function formatStopReason(error: unknown): string {
  if (!(error instanceof NotConnected)) return problemOf(error).message;
  return error.why === 'connection changed'
    ? t`This window changed connections during the import.`
    : t`The engine stopped during the import.`;
}

/** Reports a stopped import by a toast if its dialog is closed. Null: there is nothing to report. */
export function stoppedToast(file: string, end: ImportEnd): Toast | null {
  if (end.is !== 'failed') return null;
  return {
    kind: 'error',
    title: t`The import of ${file} stopped`,
    detail: `${end.what} ${end.todo}`,
    code: end.code,
  };
}
