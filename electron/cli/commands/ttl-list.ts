import { formatAction, formatDeadline, formatSchedule } from '../../../shared/model/definition-text.ts';
import { formatCount } from '../../../shared/model/format.ts';
import { formatRelativeOrDash } from '../output/format.ts';
import { table } from '../output/terminal.ts';
import type { Command } from '../session/command.ts';

export const ttlList: Command = {
  name: 'ttl list',
  summary: 'List TTL indexes, of one collection or of all',
  arguments: [{ name: 'COLLECTION', optional: true }],
  options: {
    definitions: { help: 'print the command that creates each index, instead' },
  },
  store: 'opens',
  async run({ args, terminal, open }) {
    const { client } = await open();
    const { now } = await client.store.info();
    const named = args.optional('COLLECTION');
    const names = named === undefined ? (await client.collections.list()).map(({ name }) => name) : [named];
    const indexes = (
      await Promise.all(names.map(collection => client.ttlIndexes.list({ collection })))
    ).flat();
    if (args.has('definitions')) {
      const definitions = await Promise.all(
        indexes.map(({ collection, name }) => client.ttlIndexes.definition({ collection, index: name })),
      );
      await terminal.answer(definitions, () => definitions.map(({ cli }) => cli));
      return undefined;
    }
    await terminal.answer(indexes, () =>
      indexes.length === 0
        ? ['There are no TTL indexes.']
        : table(
            [
              'collection',
              'index',
              'deadline',
              'action',
              'schedule',
              'documents',
              'overdue',
              'never',
              'next',
              'state',
            ],
            indexes.map(one => [
              one.collection,
              one.name,
              formatDeadline(one.source),
              formatAction(one.onExpire),
              formatSchedule(one.schedule),
              formatCount(one.documents),
              formatCount(one.overdue),
              formatCount(one.never.count),
              formatRelativeOrDash(one.nextDeadlineAt, now),
              one.paused === null ? one.state : `paused by ${one.paused.by}`,
            ]),
          ),
    );
    return undefined;
  },
};
