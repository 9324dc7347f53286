import { resolve } from 'node:path';
import type { Command } from '../session/command.ts';
import { followJob } from '../session/follow-job.ts';

export const maintenanceCommands: readonly Command[] = [
  {
    name: 'compact',
    summary: 'Rewrite the store’s file without unused space; reads continue, writes wait',
    arguments: [],
    options: {},
    store: 'opens',
    async run(session) {
      const { client } = await session.open();
      const job = await followJob(session, client, await client.store.compact());
      await session.terminal.answer(job, () => [`Compacted: ${job.result}.`]);
      return undefined;
    },
  },
  {
    name: 'check',
    summary: 'Check the integrity of the store’s file, and recount its documents',
    arguments: [],
    options: {},
    store: 'opens',
    async run(session) {
      const { client } = await session.open();
      const job = await followJob(session, client, await client.store.check());
      await session.terminal.answer(job, () => [`The file is intact: ${job.result}.`]);
      return undefined;
    },
  },
  {
    name: 'recover',
    summary: 'Save what can be read of a damaged store into a new one (--store), which must be empty',
    arguments: [{ name: 'DAMAGED' }],
    options: {},
    notes: ['With --url, DAMAGED is a file name in the folder of stores of that host (--stores-dir).'],
    store: 'creates',
    async run(session) {
      const { client, through } = await session.open();
      const name = session.args.argument('DAMAGED');
      const started = await client.store.recover({ file: through === 'host' ? name : resolve(name) });
      const job = await followJob(session, client, started);
      await session.terminal.answer(job, () => [`${job.result}.`]);
      return undefined;
    },
  },
];
