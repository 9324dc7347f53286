import { documentsInWords } from '../output/format.ts';
import type { Command } from '../session/command.ts';

export const ttlDrop: Command = {
  name: 'ttl drop',
  summary: 'Drop a TTL index: its deletes stop at once, no document is touched',
  arguments: [{ name: 'COLLECTION' }, { name: 'INDEX' }],
  options: {},
  store: 'opens',
  async run({ given, terminal, open }) {
    const place = { collection: given.argument('COLLECTION'), index: given.argument('INDEX') };
    const { client } = await open();
    const { documents } = await client.ttlIndexes.get(place);
    const answer = await client.ttlIndexes.drop(place);
    await terminal.answer({ ...answer, documents }, () => [
      `Dropped ${place.index} on ${place.collection}; ${documentsInWords(documents)} had ${documents === 1 ? 'its' : 'their'} deadline from it.`,
    ]);
    return undefined;
  },
};
