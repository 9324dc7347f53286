import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { permission } from '../../../../../shared/contract/permissions.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { PRIVATE_MODE } from '../../../files/private-file.ts';
import { sidecarFile } from '../../../files/sidecar-files.ts';
import { realFile } from '../../../files/store-path.ts';
import { ofTheFile } from '../file/database.ts';

const VERSION = 1;

const storedToken = z.object({
  name: z.string(),
  sha256: z.string(),
  permission,
  createdAt: z.number(),
  createdBy: z.string(),
  lastUsedAt: z.number().nullable(),
  expiresAt: z.number().nullable(),
});
const tokenList = z.object({ version: z.literal(VERSION), tokens: z.array(storedToken) });

/** A stored token. It grants no access: a token cannot be computed from its hash. */
export type StoredToken = z.infer<typeof storedToken>;

/**
 * Where the tokens of a store are kept: beside it and not in it, so that no backup carries them, and a backup that is put in
 * the place of its store meets the present ones [B1, P1].
 */
export function tokenFile(storeFile: string): string {
  return sidecarFile(realFile(storeFile), '-tokens');
}

/** Null: there is no such file. Throws STORE_UNREADABLE for one that cannot be read, which is left as it is. */
export function readTokenFile(file: string): StoredToken[] | null {
  if (!existsSync(file)) return null;
  const text = ofTheFile(file, () => readFileSync(file, 'utf8'));
  try {
    return tokenList.parse(JSON.parse(text)).tokens;
  } catch {
    throw new SandglassError(
      'STORE_UNREADABLE',
      `${file} does not hold the tokens that Sandglass wrote. Repair it, or move it away: until then no token is accepted.`,
      { file },
    );
  }
}

/**
 * A reader, or a power cut, meets the old list or the new one. Synced where `isDurable`. Throws DISK_FULL, and
 * STORE_UNREADABLE where the file cannot be written for another reason.
 */
export function writeTokenFile(file: string, tokens: readonly StoredToken[], isDurable: boolean): void {
  const next = `${file}.${process.pid}`;
  const whole = { version: VERSION, tokens: [...tokens] } satisfies z.infer<typeof tokenList>;
  try {
    ofTheFile(file, () => {
      writeFileSync(next, `${JSON.stringify(whole, null, 2)}\n`, { mode: PRIVATE_MODE, flush: isDurable });
      renameSync(next, file);
      if (isDurable) syncFolderOf(file);
    });
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

/** Without it a power cut could bring back a token that was revoked. Windows syncs no folders. */
function syncFolderOf(file: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
