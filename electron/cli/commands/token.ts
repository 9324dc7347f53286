import { PERMISSIONS } from '../../../shared/contract/permissions.ts';
import { instantInWords, relativeInWords } from '../output/format.ts';
import { table } from '../output/terminal.ts';
import type { Command } from '../session/command.ts';

const create: Command = {
  name: 'token create',
  summary: 'Make a token for the served host; it is shown this once [P1]',
  arguments: [{ name: 'NAME' }],
  options: {
    expires: {
      value: 'TIME',
      help: 'refused from this date on, or so long from now, as 90d (default: no end)',
    },
    permission: {
      value: PERMISSIONS.join('|'),
      help: 'read, write and configure include the ones before; follow mirrors the store and no more',
    },
  },
  store: 'makes',
  async run({ given, terminal, open }) {
    const permission = given.oneOf('permission', PERMISSIONS) ?? given.required('permission');
    const chosen = PERMISSIONS.find(one => one === permission) ?? 'read';
    const { client } = await open();
    const { now } = await client.store.info();
    const expiresAt = given.instant('expires', now, 'from now') ?? null;
    const made = await client.tokens.create({ name: given.argument('NAME'), permission: chosen, expiresAt });
    terminal.say('This token is shown once and kept nowhere:');
    await terminal.answer(made, () => [made.token]);
    return undefined;
  },
};

const list: Command = {
  name: 'token list',
  summary: 'List tokens: who made them, when they were last used, and when they end',
  arguments: [],
  options: {},
  store: 'opens',
  async run({ terminal, open }) {
    const { client } = await open();
    const [found, { now }] = await Promise.all([client.tokens.list(), client.store.info()]);
    await terminal.answer(found, () =>
      found.length === 0
        ? ['There are no tokens.']
        : table(
            ['token', 'permission', 'made', 'by', 'last used', 'ends'],
            found.map(one => [
              one.name,
              one.permission,
              instantInWords(one.createdAt, now),
              one.createdBy,
              one.lastUsedAt === null ? 'never' : relativeInWords(one.lastUsedAt, now),
              endInWords(one.expiresAt, now),
            ]),
          ),
    );
    return undefined;
  },
};

const revoke: Command = {
  name: 'token revoke',
  summary: 'Revoke a token: it is refused from now on, and what it opened is closed',
  arguments: [{ name: 'NAME' }],
  options: {},
  store: 'opens',
  async run({ given, terminal, open }) {
    const name = given.argument('NAME');
    const { client } = await open();
    const answer = await client.tokens.revoke({ name });
    await terminal.answer(answer, () => [`Revoked ${name}.`]);
    return undefined;
  },
};

function endInWords(expiresAt: number | null, now: number): string {
  if (expiresAt === null) return 'no end';
  return expiresAt <= now ? 'ended' : relativeInWords(expiresAt, now);
}

export const tokenCommands: readonly Command[] = [create, list, revoke];
