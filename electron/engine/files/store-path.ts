import { readlinkSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { SandglassError } from '../../../shared/model/errors.ts';

/** Longest path of common systems; a longer one is not resolved. */
const LONGEST_PATH = 4_096;
const LONGEST_SHOWN = 200;

/**
 * Returns the canonical path of a store's file: links resolved, in the case of the disk. Its lock and its log are
 * beside it. Missing parts stay as given. Throws INVALID_CONNECTION if `given` is not an absolute path.
 */
export function realStorePath(given: string): string {
  const file = /^~[\\/]/.test(given) ? join(homedir(), given.slice(2)) : given;
  if (!isAbsolute(file) || file.includes('\0') || file.length > LONGEST_PATH) {
    const shown = given.length > LONGEST_SHOWN ? `${given.slice(0, LONGEST_SHOWN)}…` : given;
    throw new SandglassError(
      'INVALID_CONNECTION',
      `A store’s file is given by its full path; “${shown}” is not one.`,
      { file: shown },
    );
  }
  return realFile(file);
}

/** Like `realStorePath`, for a path that may be relative to this process's working folder. */
export function realFile(path: string): string {
  return resolved(resolve(path), MOST_LINKS);
}

/** Longest chain of links that systems follow. */
const MOST_LINKS = 40;

function resolved(path: string, links: number): string {
  try {
    return realpathSync.native(path);
  } catch {
    // The file is missing or not accessible: its folder may exist, and may be a link.
    const folder = dirname(path);
    if (folder === path) return path;
    const place = join(resolved(folder, links), basename(path));
    const target = links === 0 ? undefined : linkedTo(place);
    return target === undefined ? place : resolved(resolve(dirname(place), target), links - 1);
  }
}

function linkedTo(place: string): string | undefined {
  try {
    return readlinkSync(place);
  } catch {
    return undefined;
  }
}

/** Returns whether two paths name the same file, also through links or in another case. */
export function isSameFile(a: string, b: string): boolean {
  const [one, other] = [realFile(a), realFile(b)];
  if (one === other) return true;
  const [first, second] = [identity(one), identity(other)];
  if (first !== undefined || second !== undefined) return first === second;
  // If neither exists yet, case-insensitive systems will create one file for both.
  const isOneCase = process.platform === 'win32' || process.platform === 'darwin';
  return isOneCase && one.toLowerCase() === other.toLowerCase();
}

function identity(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
