import { formatBytes, formatCount } from '../../../shared/model/format.ts';
import type { Command } from '../command.ts';
import { table } from '../terminal.ts';
import { relativeInWords } from '../words.ts';

export const collections: Command = {
  name: 'collections',
  summary: 'List collections: documents, what is due, what comes next',
  arguments: [],
  options: {},
  store: 'opens',
  async run({ terminal, open }) {
    const { client } = await open();
    const [found, { now }] = await Promise.all([client.collections.list(), client.store.info()]);
    await terminal.answer(found, () =>
      found.length === 0
        ? ['There are no collections.']
        : table(
            ['collection', 'documents', 'size', 'with deadline', 'overdue', 'next deadline', 'state'],
            found.map(one => [
              one.name,
              formatCount(one.documents),
              formatBytes(one.bytes),
              formatCount(one.withDeadline),
              formatCount(one.overdue),
              relativeInWords(one.nextDeadlineAt, now),
              one.state,
            ]),
          ),
    );
    return undefined;
  },
};
