import type { Command } from '../session/command.ts';
import { followJob } from '../session/follow-job.ts';

export const ttlCreateIndex: Command = {
  name: 'ttl create-index',
  summary: 'Create the index of a PostgreSQL table that the scan of a TTL index lacks, while others write',
  arguments: [{ name: 'COLLECTION' }, { name: 'INDEX' }],
  options: {},
  notes: ['Ctrl-C cancels it, and drops what was created.'],
  store: 'opens',
  async run(session) {
    const { args, terminal, open } = session;
    const collection = args.argument('COLLECTION');
    const { client } = await open();
    const of = { index: args.argument('INDEX') };
    const job = await followJob(session, client, await client.governance.createIndex({ collection, of }));
    await terminal.answer(job, () => [`Created an index on ${job.subject}.`]);
    return undefined;
  },
};
