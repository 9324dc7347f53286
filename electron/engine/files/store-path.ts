import { readlinkSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { SandglassError } from '../../../shared/model/errors.ts';

/** What systems take; each part of a longer one would be looked for all the same. */
const LONGEST_PATH = 4_096;
const LONGEST_SHOWN = 200;

/**
 * The one path by which a store's file is opened, links resolved, in the case the disk has it: its lock and its log lie
 * beside that. A part that is not there yet stays as it was given. Throws INVALID_CONNECTION for what is no full path.
 */
export function realStorePath(given: string): string {
  const file = /^~[\\/]/.test(given) ? join(homedir(), given.slice(2)) : given;
  if (!isAbsolute(file) || file.includes('\0') || file.length > LONGEST_PATH) {
    const shown = given.length > LONGEST_SHOWN ? `${given.slice(0, LONGEST_SHOWN)}…` : given;
    throw new SandglassError(
      'INVALID_CONNECTION',
      `A store’s file is named by its full path; “${shown}” is none.`,
      { file: shown },
    );
  }
  return realFile(file);
}

/** The same of a path of this process' own, which may be one from its working folder on. */
export function realFile(path: string): string {
  return resolved(resolve(path), MOST_LINKS);
}

/** A system follows no more, one after another. */
const MOST_LINKS = 40;

function resolved(path: string, links: number): string {
  try {
    return realpathSync.native(path);
  } catch {
    // Not there, or not to be looked into: then its folder may be, and itself be a link to what is not there yet.
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

/** Whether two places are one file, by whichever names. */
export function isSameFile(a: string, b: string): boolean {
  const [one, other] = [realFile(a), realFile(b)];
  if (one === other) return true;
  const [first, second] = [identity(one), identity(other)];
  if (first !== undefined || second !== undefined) return first === second;
  // Where neither is there yet, the systems that do not tell case apart will make one file of them.
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
