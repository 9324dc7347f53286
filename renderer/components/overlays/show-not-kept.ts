import { t } from '@lingui/core/macro';
import { showToast } from './toast-store.ts';

/** Shows that pending changes cannot be stored. */
export function showNotKept(error: unknown): void {
  const isQuota = error instanceof DOMException && error.name === 'QuotaExceededError';
  const reason = error instanceof Error ? error.message : String(error);
  showToast({
    kind: 'error',
    title: t`Pending changes would not survive a reload`,
    detail: isQuota
      ? t`The browser's storage for this page is full. Apply or save them, or free space on the disk.`
      : t`They could not be stored: ${reason}`,
  });
}
