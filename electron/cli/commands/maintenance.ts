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
];
