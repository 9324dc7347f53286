import { randomBytes } from 'node:crypto';

/** A token with this first character would be parsed as an option: `--token TOKEN` would fail. */
const OPTION = '-';

/**
 * Returns a new token [P1]: 32 random bytes as base64url, without a dash in front. `random` returns that many bytes.
 */
export function randomToken(random: () => Buffer = () => randomBytes(32)): string {
  for (;;) {
    const token = random().toString('base64url');
    if (!token.startsWith(OPTION)) return token;
  }
}
