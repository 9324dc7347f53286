import { createHash } from 'node:crypto';
import { SandglassError } from '../../../shared/model/errors.ts';
import { checkName } from '../../../shared/model/names.ts';
import { byCaller } from '../access/audit-log.ts';
import type { Caller } from '../access/caller.ts';
import { randomToken } from '../access/random-token.ts';
import { embedded } from './procedure-guard.ts';

/** Access tokens of the served host [P1]. The token itself is returned once, when it is created. */
export const tokens = {
  list: embedded.tokens.list.handler(({ context: { engine } }) => engine.backend.tokens.list()),
  create: embedded.tokens.create.handler(
    ({ input: { name, permission, expiresAt }, context: { engine, caller } }) => {
      checkName('token', name);
      const token = randomToken();
      const sha256 = createHash('sha256').update(token).digest('hex');
      const made = engine.backend.tokens.create({ name, sha256, permission, by: caller.user, expiresAt });
      engine.audit.done({ what: 'token created', ...byCaller(caller), token: name, permission, expiresAt });
      return { ...made, token };
    },
  ),
  get: embedded.tokens.get.handler(({ input: { name }, context: { engine } }) =>
    engine.backend.tokens.get(name),
  ),
  revoke: embedded.tokens.revoke.handler(({ input: { name }, context: { engine, caller } }) => {
    engine.backend.tokens.revoke(name);
    engine.audit.done({ what: 'token revoked', ...byCaller(caller), token: name });
    return { revoked: true as const };
  }),
  noteRefusal: embedded.tokens.noteRefusal.handler(({ input, context: { engine, caller }, path }) => {
    // Without this check, a caller with a token could write any text into the audit log.
    if (caller.from !== 'machine') throw refusedToNetwork(caller, path);
    engine.audit.refused(input);
    return { noted: true as const };
  }),
  whose: embedded.tokens.whose.handler(({ input: { sha256 }, context: { engine } }) =>
    engine.backend.tokens.ownerOf(sha256),
  ),
};

function refusedToNetwork({ user }: Caller, path: readonly string[]): SandglassError {
  return new SandglassError(
    'PERMISSION_DENIED',
    `${path.join('.')} is reserved for the host; ${user} cannot call it.`,
    {
      user,
    },
  );
}
