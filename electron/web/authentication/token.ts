import { chmod, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SandglassError } from '../../../shared/model/errors.ts';
import { randomToken } from '../../engine/access/random-token.ts';
import { replaceFile } from '../../engine/files/replace-file.ts';
import { realFile } from '../../engine/files/store-path.ts';
import { createFolder } from '../../engine/files/sync-to-disk.ts';

const SHORTEST_TOKEN = 16;
/** Characters that need no escape in a header, a subprotocol and an address. */
const TOKEN = /^[A-Za-z0-9._~-]+$/;

/**
 * Returns the token in `file`, or writes a new one if the file is missing or empty. The file becomes readable by its
 * owner only (0600). Throws BAD_REQUEST if the file contains no valid token.
 */
export async function tokenInFile(file: string): Promise<{ token: string; isNew: boolean }> {
  const stored = (await readIfExists(file))?.trim();
  if (stored) {
    if (stored.length < SHORTEST_TOKEN || !TOKEN.test(stored)) {
      throw new SandglassError(
        'BAD_REQUEST',
        `${file} contains no valid token: a token has ${SHORTEST_TOKEN} or more letters, digits, “-”, “.”, “_” or “~”. Delete the file to create a new one.`,
        { file },
      );
    }
    await chmod(file, 0o600);
    return { token: stored, isNew: false };
  }
  const token = randomToken();
  createFolder(dirname(file));
  replaceFile(realFile(file), `${token}\n`);
  return { token, isNew: true };
}

async function readIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the token of an `Authorization: Bearer …` header. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}
