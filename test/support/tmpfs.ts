import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The reason why no small file system can be mounted here; undefined if one can. Mounting needs root on Linux. */
export const NO_TMPFS: string | undefined = reasonAgainstMounting();

export function mountTmpfs(folder: string, bytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'pipe' });
}

/** Detaches the file system at once; files that are open stay until they are closed. */
export function unmount(folder: string): void {
  execFileSync('umount', ['--lazy', folder]);
}

/** Throws while a file is open for writing, as `mount` does. */
export function remount(folder: string, mode: 'ro' | 'rw'): void {
  execFileSync('mount', ['-o', `remount,${mode}`, folder], { stdio: 'pipe' });
}

function reasonAgainstMounting(): string | undefined {
  if (process.platform !== 'linux') return 'needs tmpfs, which is Linux’s';
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-disk-'));
  try {
    mountTmpfs(folder, 1024 * 1024);
    unmount(folder);
    return undefined;
  } catch {
    return 'needs the right to mount (root)';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
