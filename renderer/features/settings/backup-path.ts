const two = (value: number) => String(value).padStart(2, '0');

/**
 * Returns a file name with the store and the minute (UTC), so that backups do not overwrite each other; in the folder
 * of `file` if that is a path.
 */
export function suggestedBackup(file: string, now: number): string {
  const at = new Date(now);
  const day = `${at.getUTCFullYear()}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`;
  const stamp = `${day}-${two(at.getUTCHours())}${two(at.getUTCMinutes())}`;
  return `${file.replace(/\.sandglass$/, '')}-${stamp}.sandglass`;
}
