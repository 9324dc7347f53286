import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { permission } from '../../../../../shared/contract/permissions.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { replaceFile } from '../../../files/replace-file.ts';
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
 * Returns the path of a store's token file. Tokens are beside the store and not in it: no backup contains them, and a
 * backup that replaces its store has the present tokens [B1, P1].
 */
export function tokenFile(storeFile: string): string {
  return sidecarFile(realFile(storeFile), '-tokens');
}

/** Returns null if there is no such file. Throws STORE_UNREADABLE if it cannot be read, and leaves it unchanged. */
export function readTokenFile(file: string): StoredToken[] | null {
  if (!existsSync(file)) return null;
  const text = ofTheFile(file, () => readFileSync(file, 'utf8'));
  try {
    return tokenList.parse(JSON.parse(text)).tokens;
  } catch {
    throw new SandglassError(
      'STORE_UNREADABLE',
      `${file} is not a valid list of tokens. Repair it, or move it away: until then no token is accepted.`,
      { file },
    );
  }
}

/**
 * Replaces the list atomically: after a power cut the file has the old list or the new one, and the new one if
 * `isDurable`: otherwise a token that was revoked could be restored. Throws DISK_FULL, and STORE_UNREADABLE if the file cannot be written for another reason.
 */
export function writeTokenFile(file: string, tokens: readonly StoredToken[], isDurable: boolean): void {
  const whole = { version: VERSION, tokens: [...tokens] } satisfies z.infer<typeof tokenList>;
  ofTheFile(file, () => replaceFile(file, `${JSON.stringify(whole, null, 2)}\n`, { isDurable }));
}
