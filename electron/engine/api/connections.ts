import { z } from 'zod';
import {
  addressOf,
  type ConnectionRecord,
  type ConnectionTarget,
  type ConnectionTest,
  connection,
  connectionTest,
  HOME_CONNECTION,
  type NamedTarget,
  type ServerTarget,
  type ServerWithSecrets,
  type StoreFile,
  secretStorage,
  type TargetWithSecrets,
  type TestedTarget,
} from '../../../shared/contract/connections.ts';
import { permits } from '../../../shared/contract/permissions.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import {
  fileInFolder,
  listStoreFiles,
  resolveNamedFile,
  resolveSecretFile,
} from '../access/allowed-folders.ts';
import { byCaller } from '../access/audit-log.ts';
import {
  type AllowedServers,
  checkCertificates,
  checkServer,
  splitSecret,
} from '../access/server-address.ts';
import { realFile } from '../files/store-path.ts';
import type { ConnectionCall } from '../protocol/connection-calls.ts';
import type { Caller, Context, Engine } from './context.ts';
import { api } from './procedure-guard.ts';

const removed = z.object({ removed: z.literal(true) });

/** The connections of the host. Changes are forwarded to the host. */
export const connections = {
  list: api.connections.list.handler(({ context: { engine, caller } }) => connectionsFor(engine, caller)),
  test: api.connections.test.handler(({ input, context }) => testTarget(context, input)),
  secretStorage: api.connections.secretStorage.handler(async ({ context }) => {
    refuseOfOneStore(context);
    return secretStorage.parse(await context.engine.connections.call({ what: 'secretStorage' }));
  }),
  files: api.connections.files.handler(({ context }) => filesToConnect(context)),
  add: api.connections.add.handler(async ({ input, context }) => {
    const target = targetOf(context, input.target);
    return connection.parse(
      await askHost(context, { what: 'add', input: { ...input, target }, allowed: allowedTo(context) }),
    );
  }),
  change: api.connections.change.handler(async ({ input, context }) => {
    const target = input.target && serverOf(context, input.target, input.id);
    const call = { what: 'change' as const, input: { ...input, target }, allowed: allowedTo(context) };
    return connection.parse(await askHost(context, call));
  }),
  open: api.connections.open.handler(async ({ input, context }) =>
    connection.parse(await askHost(context, { what: 'open', input })),
  ),
  close: api.connections.close.handler(async ({ input, context }) =>
    connection.parse(await askHost(context, { what: 'close', input })),
  ),
  remove: api.connections.remove.handler(async ({ input, context }) =>
    removed.parse(await askHost(context, { what: 'remove', input })),
  ),
};

/**
 * Returns the connections that a caller may read: all with the permission to change the list, otherwise only this one,
 * without the paths of others [P2].
 */
export function connectionsFor({ connections }: Engine, caller: Caller): ConnectionRecord[] {
  const { id, list } = connections;
  const seesAll = permits(caller.permission, 'configure') && !isOfOneStore(caller, id);
  return seesAll ? [...list] : list.filter(one => one.id === id);
}

/** A token created in a store other than home is valid for that store only [P2]. */
function isOfOneStore({ token }: Caller, id: string): boolean {
  return token !== undefined && id !== HOME_CONNECTION;
}

/**
 * Throws INVALID_CONNECTION if a caller from the network names anything but a file of the host's folders or a server
 * that was allowed at the start [P1].
 */
function targetOf(context: Context, target: NamedTarget): TargetWithSecrets {
  const {
    engine: { folders },
    caller,
  } = context;
  if (target.kind !== 'file') return serverOf(context, target, undefined);
  const { kind, file, folder } = target;
  return {
    kind,
    file:
      folder === undefined
        ? resolveNamedFile(caller, file, folders.stores, 'INVALID_CONNECTION')
        : fileInFolder(folders[folder], file, 'INVALID_CONNECTION'),
  };
}

/** Servers that the caller may connect to; null: any. */
function allowedTo({ engine, caller }: Context): AllowedServers | null {
  return caller.from === 'machine' ? null : engine.servers;
}

/** Throws as `targetOf` does. `changed`: id of the connection that is changed, whose files need not be named again. */
function serverOf(
  { engine: { folders, servers, connections }, caller }: Context,
  target: ServerWithSecrets,
  changed: string | undefined,
): ServerWithSecrets {
  const { uri, secret } = splitSecret(target.uri);
  const kept = filesOf(connections.list.find(({ id }) => id === changed)?.target);
  const pathOf = (file: string) => (kept.has(file) ? file : resolveSecretFile(caller, file, folders.secrets));
  const named = { ...(secret !== undefined && { secret }), ...withSecretFiles(target, pathOf), uri };
  checkServer(caller, named, servers);
  checkCertificates(named);
  return named;
}

function filesOf(target: ConnectionTarget | undefined): Set<string> {
  const files = new Set<string>();
  if (target !== undefined && target.kind !== 'file')
    withSecretFiles(target, file => {
      files.add(file);
      return file;
    });
  return files;
}

/** Returns the target with the path of each key and certificate. */
function withSecretFiles<Target extends Pick<ServerTarget, 'ssh' | 'tls'>>(
  target: Target,
  pathOf: (file: string) => string,
): Target {
  const { ssh, tls } = target;
  const { key, knownHosts } = ssh ?? {};
  return {
    ...target,
    ...(ssh && {
      ssh: {
        ...ssh,
        ...(key && { key: pathOf(key) }),
        ...(knownHosts && { knownHosts: pathOf(knownHosts) }),
      },
    }),
    ...(tls && {
      tls: Object.fromEntries(Object.entries(tls).map(([name, file]) => [name, file && pathOf(file)])),
    }),
  };
}

/** A refused name is a result of the test, like any other reason why adding the connection would fail. */
async function testTarget(context: Context, input: TestedTarget): Promise<ConnectionTest> {
  refuseOfOneStore(context);
  let target: TargetWithSecrets;
  let changed: string | undefined;
  try {
    if (input.kind === 'file') target = targetOf(context, input);
    else {
      const { connection: id, ...server } = input;
      changed = id;
      target = serverOf(context, server, changed);
    }
  } catch (error) {
    if (!(error instanceof SandglassError)) throw error;
    return { is: 'refused', code: error.code, message: error.message };
  }
  const tested = { target, connection: changed };
  return connectionTest.parse(
    await askHost(context, { what: 'test', input: tested, allowed: allowedTo(context) }),
  );
}

async function filesToConnect(context: Context): Promise<{ stores: StoreFile[]; backups: StoreFile[] }> {
  refuseOfOneStore(context);
  const { folders, connections } = context.engine;
  const connected = new Set(
    connections.list.flatMap(({ target }) => (target.kind === 'file' ? [realFile(target.file)] : [])),
  );
  const isConnected = (file: string) => connected.has(realFile(file));
  const stores = await listStoreFiles(folders.stores, isConnected);
  const isOne = realFile(folders.stores) === realFile(folders.backups);
  return { stores, backups: isOne ? [] : await listStoreFiles(folders.backups, isConnected) };
}

type AuditedCall = Exclude<ConnectionCall, { what: 'secretStorage' | 'reopen' }>;

async function askHost(context: Context, call: AuditedCall): Promise<unknown> {
  refuseOfOneStore(context);
  const { connections, audit } = context.engine;
  const record = (outcome: string) =>
    audit.done({ what: `connection ${call.what}`, ...byCaller(context.caller), outcome, ...subjectOf(call) });
  try {
    const answer = await connections.call(call);
    record('done');
    return answer;
  } catch (error) {
    record(error instanceof SandglassError ? error.code : 'INTERNAL_SERVER_ERROR');
    throw error;
  }
}

/** The fields of the audit log that identify the connection of a call. */
function subjectOf({ what, input }: AuditedCall): { connection?: string; file?: string; name?: string } {
  if (what === 'test') return { file: addressOf(input.target) };
  if (what === 'add') return { file: addressOf(input.target), name: input.name };
  return { connection: input.id };
}

function refuseOfOneStore({ engine: { connections }, caller }: Context): void {
  if (isOfOneStore(caller, connections.id)) {
    throw new SandglassError(
      'PERMISSION_DENIED',
      `The token ${caller.user} was made in this store and gives access to it alone. Changing connections needs a token of the home store.`,
      { user: caller.user },
    );
  }
}
