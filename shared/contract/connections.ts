import { z } from 'zod';
import { SERVER_KINDS } from '../model/transport/server-address.ts';
import { engineFinding } from './capabilities.ts';
import { procedure } from './procedure-builder.ts';
import { count, instant, nothing } from './schemas/common-schemas.ts';

export { HOME_CONNECTION } from '../model/transport/connection-id.ts';

/** In production the window confirms each write. */
export const ENVIRONMENTS = ['development', 'production'] as const;
export const environment = z.enum(ENVIRONMENTS);
export type Environment = z.infer<typeof environment>;

/** Number of series colours of the theme; a connection has one of them. */
export const CONNECTION_COLOURS = 6;
const connectionColour = z.number().int().min(1).max(CONNECTION_COLOURS);

/** A file of the machine that runs Sandglass, by its full path; `~/` is the home folder of its user. */
const fileTarget = z.object({ kind: z.literal('file'), file: z.string() });

/** Where the host finds a secret: in one of its environment variables, or in a file of its folder of secrets. */
const secretReference = z
  .string()
  .regex(
    /^(SANDGLASS_SECRET_[A-Z0-9_]{1,64}|file:[A-Za-z0-9_][A-Za-z0-9_.-]{0,120})$/,
    'A secret comes from a variable SANDGLASS_SECRET_… in capital letters, or from file:NAME in the folder of --secrets-dir.',
  );

/**
 * A key or certificate on the machine that runs Sandglass, by its full path. A caller from the network gives the name of a
 * file in the host's folder of secrets [P1].
 */
const hostFile = z.string().min(1).max(4_096);

const sshHop = z.object({
  host: z.string().regex(/^[a-z0-9._:-]{1,255}$/i, 'This is no name or address of a host.'),
  port: z.number().int().min(1).max(65_535).default(22),
  user: z.string().min(1).max(256),
});

/** An SSH server over which the connection goes; addresses of servers are as that machine reaches them. */
const sshTarget = sshHop.extend({
  /** The SSH server that leads to this one; the same key logs in to both. */
  jump: sshHop.optional(),
  /** Private key; absent: the SSH agent of the machine that runs Sandglass. */
  key: hostFile.optional(),
  /** Keys of SSH servers; absent: those of OpenSSH, such as `~/.ssh/known_hosts`. */
  knownHosts: hostFile.optional(),
});
export type SshTarget = z.infer<typeof sshTarget>;

/** Certificates for TLS, in PEM. */
const tlsFiles = z.object({
  /** Certificate authorities, instead of those of the system. */
  ca: hostFile.optional(),
  /** Client certificate with its chain, and its key. */
  cert: hostFile.optional(),
  key: hostFile.optional(),
});
export type TlsFiles = z.infer<typeof tlsFiles>;

/** A server, by its address such as `redis://user@host:6379/0`, which never contains a password. */
const serverTarget = z.object({
  kind: z.enum(SERVER_KINDS),
  uri: z.string().max(2_048),
  /** Where the host finds the password; absent: the person is asked for it, or there is none. */
  secretFrom: secretReference.optional(),
  /** Absent: a direct connection. */
  ssh: sshTarget.optional(),
  /** Where the host finds the passphrase of the SSH key; absent: the person is asked for it, or there is none. */
  passphraseFrom: secretReference.optional(),
  tls: tlsFiles.optional(),
  /** Where the host finds the passphrase of the client key in `tls`; absent: as for the SSH key. */
  tlsPassphraseFrom: secretReference.optional(),
});
export type ServerTarget = z.infer<typeof serverTarget>;
export const connectionTarget = z.discriminatedUnion('kind', [fileTarget, serverTarget]);
export type ConnectionTarget = z.infer<typeof connectionTarget>;

/** Longest password, in characters. */
const LONGEST_SECRET = 4_096;
/** Secrets in a request; an empty one removes what is kept. No answer, list or log contains them. */
const secrets = z.object({
  /** Password of the server. */
  secret: z.string().max(LONGEST_SECRET).optional(),
  /** Passphrase of the SSH key. */
  passphrase: z.string().max(LONGEST_SECRET).optional(),
  /** Passphrase of the client key for TLS. */
  tlsPassphrase: z.string().max(LONGEST_SECRET).optional(),
});
export type ServerSecrets = z.infer<typeof secrets>;
const secretName = secrets.keyof();
export type SecretName = z.infer<typeof secretName>;
export const SECRET_NAMES = secretName.options;

export const serverWithSecrets = serverTarget.extend(secrets.shape);
export type ServerWithSecrets = z.infer<typeof serverWithSecrets>;

const namedFile = fileTarget.extend({ folder: z.enum(['stores', 'backups']).optional() });
/**
 * A target in a request. The person at this machine gives `file` as a path. A caller from the network gives the name
 * of a file in the host's folder of stores, or with `folder` in its folder of backups [P1]. The address of a server may
 * contain the password, or `secret` gives it.
 */
export const namedTarget = z.discriminatedUnion('kind', [namedFile, serverWithSecrets]);
export type NamedTarget = z.infer<typeof namedTarget>;
/** Target of a test. */
const testedTarget = z.discriminatedUnion('kind', [
  namedFile,
  serverWithSecrets.extend({
    /** Id of the connection that is changed: its secrets are used where none is given. */
    connection: z.string().optional(),
  }),
]);
export type TestedTarget = z.infer<typeof testedTarget>;
/** A target that names files by their paths, a server with its secrets. */
export type TargetWithSecrets = z.infer<typeof fileTarget> | z.infer<typeof serverWithSecrets>;

/** Returns the file or the address of a target, as shown to a person. */
export function addressOf(target: ConnectionTarget): string {
  return target.kind === 'file' ? target.file : target.uri;
}

/** A store in one of the host's folders. */
export const storeFile = z.object({
  file: z.string(),
  bytes: count,
  changedAt: instant,
  isConnected: z.boolean(),
});
export type StoreFile = z.infer<typeof storeFile>;

/** The settings of a connection that a person chooses. */
export const connectionLabel = z.object({
  name: z.string(),
  colour: connectionColour,
  environment,
  /** Enforced by the engine: no call writes, and Sandglass removes nothing. */
  readOnly: z.boolean(),
});
export type ConnectionLabel = z.infer<typeof connectionLabel>;

export const connectionState = z.discriminatedUnion('is', [
  z.object({ is: z.literal('opening') }),
  z.object({ is: z.literal('open') }),
  /** Closed by a person; other processes can open its file. */
  z.object({ is: z.literal('closed') }),
  /** The store could not be opened, or its engine ended; opening is retried. */
  z.object({
    is: z.literal('failed'),
    code: z.string(),
    message: z.string(),
    /** The secret that may resolve it; absent: none does. */
    needs: secretName.optional(),
  }),
]);
export type ConnectionState = z.infer<typeof connectionState>;

export const connection = connectionLabel.extend({
  id: z.string(),
  target: connectionTarget,
  state: connectionState,
});
export type ConnectionRecord = z.infer<typeof connection>;

/** Result of a test, which changes nothing. */
export const connectionTest = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('store'),
    collections: count,
    documents: count,
    bytes: count,
    /**
     * Another Sandglass has the file open, such as `process 4711, at http://…`. The connection can be added, and opens
     * once that process has closed the file.
     */
    heldBy: z.string().nullable(),
  }),
  /** A server that answers. */
  z.object({
    is: z.literal('server'),
    /** Such as `Redis 7.0.15`. */
    server: z.string(),
    roundTripMs: z.number(),
    /** Number of keys or, by the server's statistics, of rows; null: not known. */
    keys: count.nullable(),
    /** Kind of the records that `keys` counts. */
    record: z.enum(['key', 'row']),
    /** Whether the server itself or Sandglass's reaper removes due records. */
    removedBy: z.enum(['engine', 'sandglass']),
    /** Facts about the configuration that concern expiry. */
    findings: z.array(engineFinding),
  }),
  /** The file does not exist; adding it creates an empty store. */
  z.object({ is: z.literal('new') }),
  z.object({ is: z.literal('refused'), code: z.string(), message: z.string() }),
]);
export type ConnectionTest = z.infer<typeof connectionTest>;

/** Where a host keeps the secrets that a person gives. */
export const secretStorage = z.discriminatedUnion('is', [
  /** Encrypted, with a key that the system's keychain holds. */
  z.object({ is: z.literal('keychain') }),
  /** Until Sandglass ends. */
  z.object({
    is: z.literal('memory'),
    /** `served`: a served host stores no secrets. `plain text`: Linux without a keychain, where values are only obscured. */
    because: z.enum(['served', 'no keychain', 'plain text']),
  }),
]);
export type SecretStorage = z.infer<typeof secretStorage>;

export const newConnection = connectionLabel.partial().extend({
  name: z.string(),
  target: namedTarget,
  /** Adds it closed and untested, as from an exported list: its secrets are given when it is opened. */
  closed: z.boolean().optional(),
});
export type NewConnection = z.infer<typeof newConnection>;

const byId = z.object({ id: z.string() });
export const connectionChange = byId.extend(connectionLabel.partial().shape).extend({
  /**
   * Replaces the address, the SSH servers and the certificates of a server of the same kind. A secret that is left out is
   * kept. For a caller from the network that needs the same servers and the same way to them [P1].
   */
  target: serverWithSecrets.optional(),
});
export type ConnectionChange = z.infer<typeof connectionChange>;

const tags = ['Connections'];

/**
 * The connections of this Sandglass: stores that it has open or can open. Each connection returns the same list. A
 * token made in another store than home opens that store only, and its holder cannot change the list [P1].
 */
export const connections = {
  list: procedure({ permission: 'read', writes: false, feature: null })
    .route({
      method: 'GET',
      path: '/api/connections',
      tags,
      summary:
        'Connections, home first, then in the order they were added; only the caller’s own if it cannot change them',
    })
    .input(nothing.optional())
    .output(z.array(connection)),
  test: procedure({ permission: 'configure', writes: false, feature: null })
    .route({
      method: 'POST',
      path: '/api/connections/test',
      tags,
      summary: 'Test whether a store can be opened; changes nothing',
    })
    .input(testedTarget)
    .output(connectionTest),
  secretStorage: procedure({ permission: 'configure', writes: false, feature: null })
    .route({
      method: 'GET',
      path: '/api/connections/secret-storage',
      tags,
      summary: 'Where this host keeps passwords and passphrases of connections',
    })
    .input(nothing.optional())
    .output(secretStorage),
  files: procedure({ permission: 'configure', writes: false, feature: null })
    .route({
      method: 'GET',
      path: '/api/connections/files',
      tags,
      summary: 'Stores and backups in the host’s folders',
    })
    .input(nothing.optional())
    .output(z.object({ stores: z.array(storeFile), backups: z.array(storeFile) })),
  add: procedure({ permission: 'configure', writes: false, feature: null })
    .route({
      method: 'POST',
      path: '/api/connections',
      tags,
      summary: 'Add a connection and open its store',
      successStatus: 201,
    })
    .input(newConnection)
    .output(connection),
  change: procedure({ permission: 'configure', writes: false, feature: null })
    .route({
      method: 'PATCH',
      path: '/api/connections/{id}',
      tags,
      summary:
        'Change the name, colour, environment or read-only mode of a connection, or the way to its server',
    })
    .input(connectionChange)
    .output(connection),
  open: procedure({ permission: 'configure', writes: false, feature: null })
    .route({
      method: 'POST',
      path: '/api/connections/{id}/open',
      tags,
      summary: 'Open a closed connection, or one that waits for its password or passphrase',
    })
    .input(byId.extend(secrets.shape))
    .output(connection),
  close: procedure({ permission: 'configure', writes: false, feature: null })
    .route({
      method: 'POST',
      path: '/api/connections/{id}/close',
      tags,
      summary: 'Close the store of a connection and keep the connection',
    })
    .input(byId)
    .output(connection),
  remove: procedure({ permission: 'configure', writes: false, feature: null })
    .route({
      method: 'DELETE',
      path: '/api/connections/{id}',
      tags,
      summary: 'Close the store of a connection and remove the connection; its file stays',
    })
    .input(byId)
    .output(z.object({ removed: z.literal(true) })),
};
