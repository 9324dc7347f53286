import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { StoreFile } from '../../../shared/contract/connections.ts';
import { type ErrorCode, SandglassError } from '../../../shared/model/errors.ts';
import type { Caller } from './caller.ts';

/** Folders in which callers from the network name files (`--backup-dir`, `--stores-dir`, `--secrets-dir`). */
export interface Folders {
  readonly backups: string;
  readonly stores: string;
  /** Keys and certificates; undefined: none was given. */
  readonly secrets: string | undefined;
}

/** Folders given by options; the default of backups and stores is the folder of the store. */
export type GivenFolders = { readonly [Name in keyof Folders]?: string | undefined };

/**
 * A file name that starts with a letter or a digit, without separators, control characters or the system's wildcards.
 */
const FILE_NAME = /^[\p{L}\p{N}][^\p{C}/\\:*?"<>|]{0,120}\.sandglass$/u;
const MOST_LISTED = 1_000;

/**
 * Returns the path for `given`. The user of this machine may give any path. A caller from the network names a file of
 * `folder`; the refusal does not depend on what is on the disk [P1]. Throws `code`.
 */
export function resolveNamedFile(
  { from }: Pick<Caller, 'from'>,
  given: string,
  folder: string,
  code: ErrorCode & ('INVALID_FILE' | 'INVALID_CONNECTION'),
): string {
  if (from === 'machine') return given;
  return fileInFolder(folder, given, code);
}

/** Returns the path of a file of `folder`. Throws `code` if `given` is not a valid file name. */
export function fileInFolder(folder: string, name: string, code: ErrorCode): string {
  if (FILE_NAME.test(name)) return join(folder, name);
  throw new SandglassError(
    code,
    'Over the network a store is given by its file name, such as orders.sandglass, in the folder of --backup-dir or --stores-dir.',
  );
}

const SECRET_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,120}$/;

/**
 * Returns the path of a key or certificate. The user of this machine gives its full path, or one from `~/`. A caller from
 * the network names a file of the folder of secrets [P1]. Throws INVALID_CONNECTION.
 */
export function resolveSecretFile(
  { from }: Pick<Caller, 'from'>,
  given: string,
  folder: string | undefined,
): string {
  if (from === 'machine') {
    const path = given.startsWith('~/') ? join(homedir(), given.slice(2)) : given;
    if (isAbsolute(path)) return path;
    throw new SandglassError(
      'INVALID_CONNECTION',
      `Write the full path of the file ${given}, or one from ~/.`,
    );
  }
  if (folder !== undefined && SECRET_NAME.test(given)) return join(folder, given);
  throw new SandglassError(
    'INVALID_CONNECTION',
    folder === undefined
      ? 'Over the network a key or certificate is a file of a folder that was given at the start: start this Sandglass with --secrets-dir.'
      : 'Over the network a key or certificate is given by its file name, such as ca.pem, in the folder of --secrets-dir.',
  );
}

/** The stores in a folder, by name; the first 1,000. Empty if the folder cannot be read. */
export async function listStoreFiles(
  folder: string,
  isConnected: (file: string) => boolean,
): Promise<StoreFile[]> {
  const names = (await readdir(folder).catch(() => [])).filter(name => FILE_NAME.test(name)).sort();
  const found: StoreFile[] = [];
  for (const name of names.slice(0, MOST_LISTED)) {
    const path = join(folder, name);
    // The file may have been removed meanwhile, and a folder is not a store.
    const stats = await stat(path).catch(() => undefined);
    if (stats?.isFile() !== true) continue;
    found.push({
      file: name,
      bytes: stats.size,
      changedAt: Math.floor(stats.mtimeMs),
      isConnected: isConnected(path),
    });
  }
  return found;
}
