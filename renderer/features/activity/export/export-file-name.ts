/** Returns `app-expired-2026-11-21T143238Z.ndjson`: names sort by time, and are valid on every file system. */
export function exportFileName(store: string, what: string, now: number): string {
  const plain = store
    .replace(/\.sandglass$/, '')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .slice(0, 60);
  const at = new Date(now).toISOString().slice(0, 19).replaceAll(':', '');
  return `${plain}-${what}-${at}Z.ndjson`;
}
