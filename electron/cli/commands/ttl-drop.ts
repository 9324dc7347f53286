import { formatDocuments } from '../output/format.ts';
import type { Command } from '../session/command.ts';

export const ttlDrop: Command = {
  name: 'ttl drop',
  summary: 'Drop a TTL index: its deletes stop at once, documents are not changed',
  arguments: [{ name: 'COLLECTION' }, { name: 'INDEX' }],
  options: {},
  store: 'opens',
  async run({ args, terminal, open }) {
    const target = { collection: args.argument('COLLECTION'), index: args.argument('INDEX') };
    const { client } = await open();
    const { documents } = await client.ttlIndexes.get(target);
    const answer = await client.ttlIndexes.drop(target);
    await terminal.answer({ ...answer, documents }, () => [
      `Dropped ${target.index} on ${target.collection}; ${formatDocuments(documents)} had ${documents === 1 ? 'its' : 'their'} deadline from it.`,
    ]);
    return undefined;
  },
};
