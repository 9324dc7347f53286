import { formatDocuments } from '../output/format.ts';
import type { Command } from '../session/command.ts';

export const ttlDrop: Command = {
  name: 'ttl drop',
  summary: 'Drop a TTL index: its deletes stop at once, documents are not changed',
  arguments: [{ name: 'COLLECTION' }, { name: 'INDEX' }],
  options: {},
  store: 'opens',
  async run({ args, terminal, open }) {
    const place = { collection: args.argument('COLLECTION'), index: args.argument('INDEX') };
    const { client } = await open();
    const { documents } = await client.ttlIndexes.get(place);
    const answer = await client.ttlIndexes.drop(place);
    await terminal.answer({ ...answer, documents }, () => [
      `Dropped ${place.index} on ${place.collection}; ${formatDocuments(documents)} had ${documents === 1 ? 'its' : 'their'} deadline from it.`,
    ]);
    return undefined;
  },
};
