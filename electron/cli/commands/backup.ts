import { resolve } from 'node:path';
import { formatBytes } from '../../../shared/model/format.ts';
import type { Command } from '../command.ts';
import { followJob } from '../follow-job.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Write a consistent, verified copy of the store to a file, while it is in use [B1]',
  arguments: [{ name: 'FILE' }],
  options: {},
  notes: ['With --url the file is written on the machine that runs the store, and FILE is a path there.'],
  store: 'opens',
  async run(session) {
    const { given, terminal, open } = session;
    const { client, through } = await open();
    const named = given.argument('FILE');
    const started = await client.store.backup({ file: through === 'host' ? named : resolve(named) });
    const job = await followJob(session, client, started);
    await terminal.answer(job, () => [`Backed up to ${job.result ?? named} (${formatBytes(job.done)}).`]);
    return undefined;
  },
};
