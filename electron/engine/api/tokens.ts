import { createHash, randomBytes } from 'node:crypto';
import { checkName } from '../../../shared/model/names.ts';
import { api } from './base.ts';

/** Access tokens of the served host [P1]. The token itself is in one answer only, the one that made it. */
export const tokens = {
  list: api.tokens.list.handler(({ context: { engine } }) => engine.backend.tokens.list()),
  create: api.tokens.create.handler(({ input: { name, permission }, context: { engine, caller } }) => {
    checkName('token', name);
    const token = randomBytes(32).toString('base64url');
    const sha256 = createHash('sha256').update(token).digest('hex');
    return { ...engine.backend.tokens.create({ name, sha256, permission, by: caller.user }), token };
  }),
  get: api.tokens.get.handler(({ input: { name }, context: { engine } }) => engine.backend.tokens.get(name)),
  revoke: api.tokens.revoke.handler(({ input: { name }, context: { engine } }) => {
    engine.backend.tokens.revoke(name);
    return { revoked: true as const };
  }),
  whose: api.tokens.whose.handler(({ input: { sha256 }, context: { engine } }) =>
    engine.backend.tokens.whose(sha256),
  ),
};
