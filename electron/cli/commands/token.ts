import { PERMISSIONS } from '../../../shared/contract/permissions.ts';
import { formatLocalInstant, formatRelativeOrDash } from '../output/format.ts';
import { table } from '../output/terminal.ts';
import type { Command } from '../session/command.ts';

const create: Command = {
  name: 'token create',
  summary: 'Create a token for the served host, which is shown only once',
  arguments: [{ name: 'NAME' }],
  options: {
    expires: {
      value: 'TIME',
      help: 'end of validity: a date, or a duration from now such as 90d (default: none)',
    },
    permission: {
      value: PERMISSIONS.join('|'),
      help: 'write includes read, configure includes both; follow only mirrors the store',
    },
  },
  store: 'creates',
  async run({ args, terminal, open }) {
    const permission = args.oneOf('permission', PERMISSIONS) ?? args.required('permission');
    const chosen = PERMISSIONS.find(one => one === permission) ?? 'read';
    const { client } = await open();
    const { now } = await client.store.info();
    const expiresAt = args.instant('expires', now, 'from now') ?? null;
    const created = await client.tokens.create({
      name: args.argument('NAME'),
      permission: chosen,
      expiresAt,
    });
    terminal.message('This token is shown only once and is not stored:');
    await terminal.answer(created, () => [created.token]);
    return undefined;
  },
};

const list: Command = {
  name: 'token list',
  summary: 'List tokens with their creator, last use and end',
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
            ['token', 'permission', 'created', 'by', 'last used', 'ends'],
            found.map(one => [
              one.name,
              one.permission,
              formatLocalInstant(one.createdAt, now),
              one.createdBy,
              one.lastUsedAt === null ? 'never' : formatRelativeOrDash(one.lastUsedAt, now),
              formatEnd(one.expiresAt, now),
            ]),
          ),
    );
    return undefined;
  },
};

const revoke: Command = {
  name: 'token revoke',
  summary: 'Revoke a token at once, and close its connections',
  arguments: [{ name: 'NAME' }],
  options: {},
  store: 'opens',
  async run({ args, terminal, open }) {
    const name = args.argument('NAME');
    const { client } = await open();
    const answer = await client.tokens.revoke({ name });
    await terminal.answer(answer, () => [`Revoked ${name}.`]);
    return undefined;
  },
};

function formatEnd(expiresAt: number | null, now: number): string {
  if (expiresAt === null) return 'no end';
  return expiresAt <= now ? 'ended' : formatRelativeOrDash(expiresAt, now);
}

export const tokenCommands: readonly Command[] = [create, list, revoke];
