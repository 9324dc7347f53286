import { z } from 'zod';
import { permission } from './permissions.ts';
import { procedure } from './procedure-builder.ts';
import { instant, nothing } from './schemas/common-schemas.ts';

export const tokenRecord = z.object({
  name: z.string(),
  permission,
  createdAt: instant,
  createdBy: z.string(),
  /** Time of the last use; null: never used. */
  lastUsedAt: instant.nullable(),
  /** Instant from which the token is refused; null: it does not expire. */
  expiresAt: instant.nullable(),
});
export type TokenRecord = z.infer<typeof tokenRecord>;

const tags = ['Tokens'];

/** Access tokens of the served host [P1]. A token is returned once, when it is created; only its hash is stored. */
export const tokens = {
  list: procedure({ permission: 'configure', writes: false, feature: 'tokens' })
    .route({ method: 'GET', path: '/api/tokens', tags, summary: 'Access tokens, by name' })
    .input(nothing.optional())
    .output(z.array(tokenRecord)),
  create: procedure({ permission: 'configure', writes: true, feature: 'tokens' })
    .route({
      method: 'POST',
      path: '/api/tokens',
      tags,
      summary: 'Create a token; it is shown once',
      successStatus: 201,
    })
    .input(z.object({ name: z.string(), permission, expiresAt: instant.nullable().default(null) }))
    .output(tokenRecord.extend({ token: z.string() })),
  get: procedure({ permission: 'configure', writes: false, feature: 'tokens' })
    .route({ method: 'GET', path: '/api/tokens/{name}', tags, summary: 'One token' })
    .input(z.object({ name: z.string() }))
    .output(tokenRecord),
  revoke: procedure({ permission: 'configure', writes: true, feature: 'tokens' })
    .route({
      method: 'DELETE',
      path: '/api/tokens/{name}',
      tags,
      summary: 'Revoke a token; it is refused from now on',
    })
    .input(z.object({ name: z.string() }))
    .output(z.object({ revoked: z.literal(true) })),
  /** For hosts: records a request that was refused without a token or with an unknown one. */
  noteRefusal: procedure({ permission: 'configure', writes: false, feature: 'tokens' })
    .input(
      z.object({
        reason: z.string(),
        address: z.string(),
        path: z.string(),
        /** Number of further refusals that are not recorded one by one. */
        more: z.number().int().nonnegative().default(0),
      }),
    )
    .output(z.object({ noted: z.literal(true) })),
  /** For hosts: returns the token with this SHA-256 (hex); null: there is none. */
  whose: procedure({ permission: 'configure', writes: false, feature: 'tokens' })
    .input(z.object({ sha256: z.string() }))
    .output(z.object({ name: z.string(), permission }).nullable()),
};
