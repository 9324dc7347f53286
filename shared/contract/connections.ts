import { z } from 'zod';
import { count, instant, nothing, procedure } from './base.ts';

export { HOME_CONNECTION } from '../model/connection-id.ts';

/** What a mistake there costs. Production asks before it writes. */
export const ENVIRONMENTS = ['development', 'production'] as const;
export const environment = z.enum(ENVIRONMENTS);
export type Environment = z.infer<typeof environment>;

/** Which of the theme's series colours a connection is marked with. */
export const CONNECTION_COLOURS = 6;
export const connectionColour = z.number().int().min(1).max(CONNECTION_COLOURS);

/** A file of the machine that runs Sandglass, by its full path; `~/` is that person's home folder. */
export const connectionTarget = z.object({ kind: z.literal('file'), file: z.string() });
export type ConnectionTarget = z.infer<typeof connectionTarget>;

/**
 * A target as it is asked for. The person at this machine names `file` by its path; a caller from the network by the name
 * of a file in the host's folder of stores, or with `folder` in that of backups [P1].
 */
export const namedTarget = connectionTarget.extend({ folder: z.enum(['stores', 'backups']).optional() });
export type NamedTarget = z.infer<typeof namedTarget>;

/** A store that lies in one of the host's folders. */
export const storeFile = z.object({
  file: z.string(),
  bytes: count,
  changedAt: instant,
  isConnected: z.boolean(),
});
export type StoreFile = z.infer<typeof storeFile>;

/** What a person says of a connection. */
export const connectionLabel = z.object({
  name: z.string(),
  colour: connectionColour,
  environment,
  /** Enforced in the engine: nothing is written, nothing expires by Sandglass' hand. */
  readOnly: z.boolean(),
});
export type ConnectionLabel = z.infer<typeof connectionLabel>;

export const connectionState = z.discriminatedUnion('is', [
  z.object({ is: z.literal('opening') }),
  z.object({ is: z.literal('open') }),
  /** The person closed it; its file is free for others. */
  z.object({ is: z.literal('closed') }),
  /** It could not be opened, or ended; it is tried again. */
  z.object({ is: z.literal('failed'), code: z.string(), message: z.string() }),
]);
export type ConnectionState = z.infer<typeof connectionState>;

export const connection = connectionLabel.extend({
  id: z.string(),
  target: connectionTarget,
  state: connectionState,
});
export type ConnectionRecord = z.infer<typeof connection>;

/** What a test found, without changing anything. */
export const connectionTest = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('store'),
    collections: count,
    documents: count,
    bytes: count,
    /** Another Sandglass has it open, `process 4711, at http://…`: it can be added, and opens once that one lets go. */
    heldBy: z.string().nullable(),
  }),
  /** There is no such file yet: adding it makes an empty store. */
  z.object({ is: z.literal('new') }),
  z.object({ is: z.literal('refused'), code: z.string(), message: z.string() }),
]);
export type ConnectionTest = z.infer<typeof connectionTest>;

export const newConnection = connectionLabel.partial().extend({ name: z.string(), target: namedTarget });
export type NewConnection = z.infer<typeof newConnection>;

const byId = z.object({ id: z.string() });
export const connectionChange = byId.extend(connectionLabel.partial().shape);
export type ConnectionChange = z.infer<typeof connectionChange>;

const tags = ['Connections'];

/**
 * The stores that this Sandglass has open, or knows. Every one of them answers these the same. A token made in another
 * store than the home one opens that store alone: whoever comes with it may change none of this [P1].
 */
export const connections = {
  list: procedure({ permission: 'read', writes: false })
    .route({
      method: 'GET',
      path: '/api/connections',
      tags,
      summary:
        'Connections, home first, then in the order they were added; the caller’s own where it may not change them',
    })
    .input(nothing.optional())
    .output(z.array(connection)),
  test: procedure({ permission: 'configure', writes: false })
    .route({
      method: 'POST',
      path: '/api/connections/test',
      tags,
      summary: 'Look whether a store can be opened, changing nothing',
    })
    .input(namedTarget)
    .output(connectionTest),
  files: procedure({ permission: 'configure', writes: false })
    .route({
      method: 'GET',
      path: '/api/connections/files',
      tags,
      summary: 'The stores and backups in the folders that the host was started with',
    })
    .input(nothing.optional())
    .output(z.object({ stores: z.array(storeFile), backups: z.array(storeFile) })),
  add: procedure({ permission: 'configure', writes: false })
    .route({
      method: 'POST',
      path: '/api/connections',
      tags,
      summary: 'Open a store beside the others',
      successStatus: 201,
    })
    .input(newConnection)
    .output(connection),
  change: procedure({ permission: 'configure', writes: false })
    .route({
      method: 'PATCH',
      path: '/api/connections/{id}',
      tags,
      summary: 'Change its name, colour, environment, or whether it is read-only',
    })
    .input(connectionChange)
    .output(connection),
  open: procedure({ permission: 'configure', writes: false })
    .route({ method: 'POST', path: '/api/connections/{id}/open', tags, summary: 'Open a closed one again' })
    .input(byId)
    .output(connection),
  close: procedure({ permission: 'configure', writes: false })
    .route({
      method: 'POST',
      path: '/api/connections/{id}/close',
      tags,
      summary: 'Close its store and keep it in the list',
    })
    .input(byId)
    .output(connection),
  remove: procedure({ permission: 'configure', writes: false })
    .route({
      method: 'DELETE',
      path: '/api/connections/{id}',
      tags,
      summary: 'Close its store and forget it; its file stays',
    })
    .input(byId)
    .output(z.object({ removed: z.literal(true) })),
};
