import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SandglassError } from '../../../shared/model/errors.ts';

const SHORTEST_GIVEN = 16;
/** What may stand in a header, in a subprotocol and in an address without being escaped. */
const TOKEN = /^[A-Za-z0-9._~-]+$/;

/** 32 random bytes, as text that fits an address and a header. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * The token kept in `file`; a new one is written to it where there is none. The file is its owner's alone (0600).
 * Throws BAD_REQUEST where the file holds something that cannot be a token.
 */
export async function tokenInFile(file: string): Promise<{ token: string; isNew: boolean }> {
  const kept = (await readIfThere(file))?.trim();
  if (kept) {
    if (kept.length < SHORTEST_GIVEN || !TOKEN.test(kept)) {
      throw new SandglassError(
        'BAD_REQUEST',
        `${file} holds no token: one is ${SHORTEST_GIVEN} or more letters, digits, “-”, “.”, “_” or “~”. Delete the file to have one made.`,
        { file },
      );
    }
    await chmod(file, 0o600);
    return { token: kept, isNew: false };
  }
  const token = randomToken();
  await mkdir(dirname(file), { recursive: true });
  // The mode of `open` counts for new files only, so an empty one that was there is narrowed before it is written.
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(`${token}\n`);
  } finally {
    await handle.close();
  }
  return { token, isNew: true };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The token of an `Authorization: Bearer …` header. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}
