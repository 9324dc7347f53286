import type { Client } from '../../../shared/contract/index.ts';
import type { LeaseList, LeaseRecord } from '../../../shared/contract/leases.ts';
import { formatCount, formatDuration } from '../../../shared/model/format.ts';
import { EXIT } from '../output/exit-codes.ts';
import { CommandFailed } from '../output/failures.ts';
import { formatLocalInstant, formatRelativeOrDash } from '../output/format.ts';
import { fields, table } from '../output/terminal.ts';
import type { Command, Session } from '../session/command.ts';
import { confirmLoss, YES } from '../session/confirm-effect.ts';

/** Keys that a question or a row names. */
const MOST_NAMED = 5;

const LEASE = { name: 'LEASE' } as const;
const LEASE_AND_KEY = [LEASE, { name: 'COLLECTION' }, { name: 'KEY' }] as const;

const list: Command = {
  name: 'leases list',
  summary: 'List the leases of an etcd cluster, those that end first at the beginning, with their keys',
  arguments: [],
  options: {
    limit: { value: 'N', help: 'largest number of rows, up to 500 (default: 100)' },
    after: { value: 'NEXT', help: 'the page after another one, whose output names it' },
  },
  store: 'opens',
  async run({ args, terminal, open }) {
    const limit = args.number('limit');
    const after = args.text('after');
    const { client } = await open();
    const [page, { now }] = await Promise.all([
      client.leases.list({
        ...(limit === undefined ? {} : { limit }),
        ...(after === undefined ? {} : { after }),
      }),
      client.store.info(),
    ]);
    await terminal.answer(page, () => formatList(page, now));
    if (page.next !== null && !terminal.json)
      terminal.message(
        `There are ${formatCount(page.total)} leases: --after ${page.next} shows the next page.`,
      );
    return undefined;
  },
};

const show: Command = {
  name: 'leases show',
  summary: 'Show a lease with all keys that are deleted with it; or the lease of a key of a collection',
  arguments: [{ name: 'LEASE|COLLECTION' }, { name: 'KEY', optional: true }],
  options: {},
  store: 'opens',
  async run(session) {
    const { args, open } = session;
    const id = args.optional('KEY');
    const given = args.argument('LEASE|COLLECTION');
    const { client } = await open();
    const lease =
      id === undefined
        ? await client.leases.get({ id: given })
        : await client.leases.ofKey({ collection: given, id });
    if (lease === null) throw new CommandFailed(EXIT.conflict, `${id} has no lease: it never expires.`);
    await answerLease(session, client, lease);
    return undefined;
  },
};

const grant: Command = {
  name: 'leases grant',
  summary: 'Grant a lease without keys, which ends after its duration unless it is kept alive',
  arguments: [],
  options: { ttl: { value: 'DURATION', help: 'its duration, of whole seconds: 30m' } },
  store: 'opens',
  async run(session) {
    const { args, open } = session;
    const seconds = args.seconds('ttl');
    if (seconds === undefined) throw args.wrong('--ttl is missing.');
    const { client } = await open();
    await answerLease(session, client, await client.leases.grant({ seconds: Math.ceil(seconds) }));
    return undefined;
  },
};

const attach: Command = {
  name: 'leases attach',
  summary: 'Attach a key to a lease, with which it is deleted; it leaves the lease that it had',
  arguments: LEASE_AND_KEY,
  options: YES,
  store: 'opens',
  async run(session) {
    const { args, open } = session;
    const chosen = chosenKey(session);
    const { client } = await open();
    const [lease, { now }] = await Promise.all([
      client.leases.get({ id: args.argument('LEASE') }),
      client.store.info(),
    ]);
    await confirmLoss(
      session,
      `${chosen.key} would be deleted with the lease ${lease.id}, ${formatRelativeOrDash(lease.deadlineAt, now)} unless that is kept alive`,
      { lease },
    );
    await answerLease(session, client, await client.leases.attach(chosen));
    return undefined;
  },
};

const detach: Command = {
  name: 'leases detach',
  summary: 'Detach a key from a lease, so that it never expires; the other keys of the lease stay attached',
  arguments: LEASE_AND_KEY,
  options: {},
  store: 'opens',
  async run(session) {
    const chosen = chosenKey(session);
    const { client } = await session.open();
    await answerLease(session, client, await client.leases.detach(chosen));
    return undefined;
  },
};

const keepAlive: Command = {
  name: 'leases keep-alive',
  summary: 'Restart the duration of a lease once, for all of its keys',
  arguments: [LEASE],
  options: YES,
  store: 'opens',
  async run(session) {
    const { args, open } = session;
    const { client } = await open();
    const lease = await client.leases.get({ id: args.argument('LEASE') });
    const { id, keyCount, grantedSeconds } = lease;
    await confirmLoss(
      session,
      `${formatKeys(lease)} would stay for ${formatDuration(grantedSeconds * 1_000)} more`,
      { lease },
    );
    await answerLease(session, client, await client.leases.keepAlive({ id, keyCount }));
    return undefined;
  },
};

const revoke: Command = {
  name: 'leases revoke',
  summary: 'End a lease now, which deletes all of its keys',
  arguments: [LEASE],
  options: YES,
  store: 'opens',
  async run(session) {
    const { args, terminal, open } = session;
    const { client } = await open();
    const lease = await client.leases.get({ id: args.argument('LEASE') });
    const { id, keyCount } = lease;
    if (keyCount > 0) await confirmLoss(session, `${formatKeys(lease)} would be deleted`, { lease });
    const revoked = await client.leases.revoke({ id, keyCount });
    await terminal.answer(revoked, () => [`Revoked ${id}; keys deleted: ${formatCount(revoked.deleted)}.`]);
    return undefined;
  },
};

function chosenKey({ args }: Session): { id: string; collection: string; key: string } {
  return { id: args.argument('LEASE'), collection: args.argument('COLLECTION'), key: args.argument('KEY') };
}

async function answerLease({ terminal }: Session, client: Client, lease: LeaseRecord): Promise<void> {
  const { now } = await client.store.info();
  await terminal.answer(lease, () => [
    ...fields([
      ['lease', lease.id],
      ['granted', formatDuration(lease.grantedSeconds * 1_000)],
      ['ends', formatLocalInstant(lease.deadlineAt, now)],
      ['keys', formatCount(lease.keyCount)],
    ]),
    ...lease.keys.map(key => `  ${key}`),
    ...(lease.keyCount > lease.keys.length
      ? [`  … and ${formatCount(lease.keyCount - lease.keys.length)} more`]
      : []),
  ]);
}

function formatList({ leases, withoutLease }: LeaseList, now: number): string[] {
  const rows = leases.map(lease => [
    lease.id,
    formatDuration(lease.grantedSeconds * 1_000),
    formatRelativeOrDash(lease.deadlineAt, now),
    formatKeys(lease),
  ]);
  const lines =
    rows.length === 0 ? ['There are no leases.'] : table(['lease', 'granted', 'ends', 'keys'], rows);
  const without = withoutLease.map(({ collection, keys }) => `${collection} (${formatCount(keys)})`);
  return without.length === 0 ? lines : [...lines, `Keys without a lease: ${without.join(', ')}`];
}

/** Returns `3 keys (a, b, c)`. */
function formatKeys({ keys, keyCount }: LeaseRecord): string {
  const named = keys.slice(0, MOST_NAMED).join(', ');
  const text = `${formatCount(keyCount)} key${keyCount === 1 ? '' : 's'}`;
  if (keyCount === 0) return text;
  return keyCount > MOST_NAMED ? `${text} (${named}, …)` : `${text} (${named})`;
}

export const leaseCommands: readonly Command[] = [list, show, grant, attach, detach, keepAlive, revoke];
