import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import {
  addressOf,
  type ConnectionRecord,
  type ConnectionTest,
  ENVIRONMENTS,
  type NamedTarget,
  type SshTarget,
} from '../../../shared/contract/connections.ts';
import {
  type ConnectionList,
  compareConnections,
  connectionList,
  exportConnections,
} from '../../../shared/contract/files/connection-list.ts';
import { serverKindOf } from '../../../shared/model/transport/server-address.ts';
import { parseSshServer, type SshServerAddress } from '../../../shared/model/transport/ssh-server.ts';
import { EXIT } from '../output/exit-codes.ts';
import { table } from '../output/terminal.ts';
import type { Command } from '../session/command.ts';
import type { ParsedArguments } from '../syntax/parsed-arguments.ts';

const NOTES = [
  'TARGET is a file, or the address of a server such as redis://user@host:6379/0 or postgresql://user@host/database. A password is read from the variable that --secret-from names.',
  'Runs in the Sandglass that has the store open. With --url, a file is given by its name in the stores folder of that host (--stores-dir).',
];

/** Options of a server. */
const SERVER = {
  'secret-from': {
    value: 'VARIABLE',
    help: 'variable of the host with the password of the server: SANDGLASS_SECRET_…, or file:NAME in its --secrets-dir',
  },
  ssh: { value: 'USER@HOST', help: 'connect through this SSH server, with the agent or --ssh-key' },
  'ssh-jump': { value: 'USER@HOST', help: 'SSH server that leads to the one of --ssh' },
  'ssh-key': { value: 'FILE', help: 'private key for SSH' },
  'passphrase-from': { value: 'VARIABLE', help: 'variable of the host with the passphrase of --ssh-key' },
  'known-hosts': { value: 'FILE', help: 'keys of SSH servers (default: ~/.ssh/known_hosts)' },
  'tls-ca': { value: 'FILE', help: 'certificate authority of the server (PEM)' },
  'tls-cert': { value: 'FILE', help: 'client certificate (PEM)' },
  'tls-key': { value: 'FILE', help: 'key of the client certificate (PEM)' },
  'tls-passphrase-from': { value: 'VARIABLE', help: 'variable of the host with the passphrase of --tls-key' },
};

const list: Command = {
  name: 'connection list',
  summary: 'List the connections of the Sandglass that has the store open',
  arguments: [],
  options: {},
  notes: NOTES,
  store: 'opens',
  async run({ terminal, open }) {
    const { client } = await open({ onlyIfOpen: true });
    const found = await client.connections.list();
    await terminal.answer(found, () =>
      table(
        ['connection', 'name', 'state', 'environment', 'file or address'],
        found.map(one => [
          one.id,
          one.name,
          formatState(one),
          one.readOnly ? `${one.environment}, read-only` : one.environment,
          addressOf(one.target),
        ]),
      ),
    );
    return undefined;
  },
};

const add: Command = {
  name: 'connection add',
  summary: 'Add a connection to another store, by its file or its address; a missing file is created',
  arguments: [{ name: 'TARGET' }, { name: 'NAME' }],
  options: {
    environment: {
      value: ENVIRONMENTS.join('|'),
      help: 'production requires a confirmation of writes (default: development)',
    },
    ...SERVER,
    'read-only': { help: 'no writes, and no expiry by this Sandglass' },
  },
  notes: NOTES,
  store: 'opens',
  async run({ args, terminal, open }) {
    const environment = args.oneOf('environment', ENVIRONMENTS);
    checkOrder(args);
    const { client } = await open({ onlyIfOpen: true });
    const added = await client.connections.add({
      name: args.argument('NAME'),
      target: targetOf(args),
      readOnly: args.has('read-only'),
      ...(environment === undefined ? {} : { environment }),
    });
    await terminal.answer(added, () => [`${added.id}: ${added.name} is ${formatState(added)}.`]);
    return undefined;
  },
};

const test: Command = {
  name: 'connection test',
  summary: 'Check whether a store can be opened, without changing it',
  arguments: [{ name: 'TARGET' }],
  options: SERVER,
  notes: NOTES,
  store: 'opens',
  async run({ args, terminal, open }) {
    const { client } = await open({ onlyIfOpen: true });
    const found = await client.connections.test(targetOf(args));
    await terminal.answer(found, () => {
      if (found.is === 'refused') return [found.message];
      if (found.is === 'server') return [formatServer(found)];
      if (found.is === 'new') return ['There is no such file yet; adding it creates an empty store.'];
      const holder = found.heldBy === null ? '' : ` It is open in ${found.heldBy}.`;
      return [`A store with ${found.documents} documents in ${found.collections} collections.${holder}`];
    });
    return found.is === 'refused' ? EXIT.failed : undefined;
  },
};

const remove: Command = {
  name: 'connection remove',
  summary: 'Close a store and remove its connection; the file is kept',
  arguments: [{ name: 'CONNECTION' }],
  options: {},
  notes: NOTES,
  store: 'opens',
  async run({ args, terminal, open }) {
    const id = args.argument('CONNECTION');
    const { client } = await open({ onlyIfOpen: true });
    const answer = await client.connections.remove({ id });
    await terminal.answer(answer, () => [`Removed ${id}; its file is kept.`]);
    return undefined;
  },
};

const exportList: Command = {
  name: 'connection export',
  summary: 'Print the connections beside home as JSON, without passwords and passphrases',
  arguments: [],
  options: {},
  store: 'opens',
  async run({ terminal, open }) {
    const { client } = await open({ onlyIfOpen: true });
    const exported = exportConnections(await client.connections.list());
    await terminal.answer(exported, () => JSON.stringify(exported, null, 2).split('\n'));
    return undefined;
  },
};

const importList: Command = {
  name: 'connection import',
  summary: 'Add the connections of an exported list, closed; those that exist already are left as they are',
  arguments: [{ name: 'FILE' }],
  options: {},
  notes: ['Passwords are not part of the list: they are requested when a connection is opened.'],
  store: 'opens',
  async run({ args, terminal, open }) {
    const given = readExported(args);
    const { client } = await open({ onlyIfOpen: true });
    const compared = compareConnections(given, await client.connections.list());
    const missing = compared.filter(({ is }) => is === 'new');
    const existing = compared.filter(({ is }) => is !== 'new');
    const added: ConnectionRecord[] = [];
    for (const { listed } of missing) added.push(await client.connections.add({ ...listed, closed: true }));
    await terminal.answer(added, () => [
      ...added.map(({ id, name }) => `${id}: ${name} is closed. Open it to enter its password.`),
      ...existing.map(
        ({ listed: { name, target } }) => `${name}: ${addressOf(target)} is connected already.`,
      ),
    ]);
    return undefined;
  },
};

function readExported(args: ParsedArguments): ConnectionList {
  const file = args.argument('FILE');
  try {
    return connectionList.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw args.wrong(
      error instanceof z.ZodError || error instanceof SyntaxError
        ? `${file} is no list of \`connection export\`.`
        : `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** A path is relative to the working folder; a served host takes a file name [P1]. */
/** Throws if only the NAME looks as a target does: a file would be created under the name of the connection. */
function checkOrder(args: ParsedArguments): void {
  const [target, name] = [args.argument('TARGET'), args.argument('NAME')];
  if (isTarget(target) || !isTarget(name)) return;
  throw args.wrong(`The target comes first, then the name: sandglass connection add ${name} ${target}`);
}

const isTarget = (text: string) =>
  serverKindOf(text) !== null || /[/\\]|\.sandglass$/.test(text) || existsSync(text);

function targetOf(args: ParsedArguments): NamedTarget {
  const file = args.argument('TARGET');
  const kind = serverKindOf(file);
  if (kind === null) return { kind: 'file', file: args.has('url') ? file : resolve(file) };
  const ssh = sshOf(args);
  const [ca, cert, key] = [fileOf(args, 'tls-ca'), fileOf(args, 'tls-cert'), fileOf(args, 'tls-key')];
  const tls = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  const [secretFrom, passphraseFrom] = [args.text('secret-from'), args.text('passphrase-from')];
  const tlsPassphraseFrom = args.text('tls-passphrase-from');
  return {
    kind,
    uri: file,
    ...(secretFrom && { secretFrom }),
    ...(passphraseFrom && { passphraseFrom }),
    ...(tlsPassphraseFrom && { tlsPassphraseFrom }),
    ...(ssh && { ssh }),
    ...(Object.keys(tls).length > 0 && { tls }),
  };
}

function sshOf(args: ParsedArguments): SshTarget | undefined {
  const [server, jump] = [hopOf(args, 'ssh'), hopOf(args, 'ssh-jump')];
  const [key, knownHosts] = [fileOf(args, 'ssh-key'), fileOf(args, 'known-hosts')];
  if (server !== undefined)
    return { ...server, ...(jump && { jump }), ...(key && { key }), ...(knownHosts && { knownHosts }) };
  if (jump ?? key ?? knownHosts) throw args.wrong('--ssh is missing.');
  return undefined;
}

function hopOf(args: ParsedArguments, option: 'ssh' | 'ssh-jump'): SshServerAddress | undefined {
  const text = args.text(option);
  if (text === undefined) return undefined;
  const server = parseSshServer(text);
  if (server === null)
    throw args.wrong(`--${option} must be an SSH server like ada@bastion:22, not “${text}”.`);
  return server;
}

/** As a path of the working folder; a served host takes the name of a file in its folder of secrets [P1]. */
function fileOf(args: ParsedArguments, option: string): string | undefined {
  const file = args.text(option);
  return file === undefined || args.has('url') ? file : resolve(file);
}

function formatServer({ server, roundTripMs, keys, record }: ConnectionTest & { is: 'server' }): string {
  const count = keys === null ? '' : record === 'row' ? `, about ${keys} rows` : `, ${keys} keys`;
  return `${server}${count}, ${roundTripMs.toFixed(1)} ms away.`;
}

function formatState({ state }: ConnectionRecord): string {
  return state.is === 'failed' ? `not open: ${state.message}` : state.is;
}

export const connectionCommands: readonly Command[] = [list, add, test, remove, exportList, importList];
