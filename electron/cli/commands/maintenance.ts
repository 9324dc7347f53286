import type { Command } from '../session/command.ts';
import { followJob } from '../session/follow-job.ts';

export const fileCareCommands: readonly Command[] = [
  {
    name: 'compact',
    summary: 'Write the store’s file anew without unused space; reads go on, writes wait [S3]',
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
    summary: 'Read the store’s whole file and count its documents again [S3]',
    arguments: [],
    options: {},
    store: 'opens',
    async run(session) {
      const { client } = await session.open();
      const job = await followJob(session, client, await client.store.check());
      await session.terminal.answer(job, () => [`The file is whole: ${job.result}.`]);
      return undefined;
    },
  },
];
