import { formatBytes } from '../../../shared/model/format.ts';
import { relativeInWords } from '../output/format.ts';
import { table } from '../output/terminal.ts';
import type { Command } from '../session/command.ts';

export const expired: Command = {
  name: 'expired',
  summary: 'List what expired, latest first, with the ids that `sandglass restore` takes [X4]',
  arguments: [{ name: 'COLLECTION', optional: true }],
  options: {
    limit: { value: 'N', help: 'at most so many, up to 1,000 (default: 100)' },
    before: { value: 'ID', help: 'only what expired before that one: the next page' },
  },
  store: 'opens',
  async run({ given, terminal, open }) {
    const collection = given.optional('COLLECTION');
    const limit = given.number('limit');
    const before = given.text('before');
    const { client } = await open();
    const [page, { now }] = await Promise.all([
      client.metrics.expired({
        ...(collection === undefined ? {} : { collection }),
        ...(limit === undefined ? {} : { limit }),
        ...(before === undefined ? {} : { before }),
      }),
      client.store.info(),
    ]);
    await terminal.answer(page, () =>
      page.expired.length === 0
        ? ['Nothing expired that the store knows of.']
        : table(
            ['id', 'collection', '_id', 'removed', 'by', 'action', 'restorable'],
            page.expired.map(one => [
              one.id,
              one.collection,
              one._id,
              relativeInWords(one.removedAt, now),
              one.index,
              one.action,
              one.restorable === null
                ? 'no'
                : `${formatBytes(one.restorable.bytes)}, ends ${relativeInWords(one.restorable.until, now)}`,
            ]),
          ),
    );
    if (page.next !== null && !terminal.json)
      terminal.say(`There may be more: --before ${page.next} shows the next page.`);
    return undefined;
  },
};
