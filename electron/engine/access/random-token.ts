import { randomBytes } from 'node:crypto';

/** A token that begins so is taken for an option of the command line: `--token TOKEN` would fail. */
const OPTION = '-';

/** Returns a new token [P1]: 32 random bytes as base64url, without a dash in front. `random` returns that many bytes. */
export function randomToken(random: () => Buffer = () => randomBytes(32)): string {
  for (;;) {
    const token = random().toString('base64url');
    if (!token.startsWith(OPTION)) return token;
  }
}
