import { formatBytes } from '../../../shared/model/format.ts';
import { formatRelativeOrDash } from '../output/format.ts';
import { table } from '../output/terminal.ts';
import type { Command } from '../session/command.ts';

export const expired: Command = {
  name: 'expired',
  summary:
    'List expired documents and those deleted by hand, latest first, with the ids for `sandglass restore`',
  arguments: [{ name: 'COLLECTION', optional: true }],
  options: {
    limit: { value: 'N', help: 'largest number of rows, up to 1,000 (default: 100)' },
    before: { value: 'ID', help: 'only rows before this id: the next page' },
  },
  store: 'opens',
  async run({ args, terminal, open }) {
    const collection = args.optional('COLLECTION');
    const limit = args.number('limit');
    const before = args.text('before');
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
        ? ['No expired documents are recorded.']
        : table(
            ['id', 'collection', '_id', 'removed', 'by', 'action', 'restorable'],
            page.expired.map(one => [
              one.id,
              one.collection,
              one._id,
              formatRelativeOrDash(one.removedAt, now),
              one.isEvicted ? 'eviction' : one.cause === 'deleted' ? 'hand' : one.index,
              one.action,
              one.restorable === null
                ? one.isRestored
                  ? 'restored'
                  : 'no'
                : `${formatBytes(one.restorable.bytes)}, ends ${formatRelativeOrDash(one.restorable.until, now)}`,
            ]),
          ),
    );
    if (page.next !== null && !terminal.json)
      terminal.message(`There may be more: --before ${page.next} shows the next page.`);
    return undefined;
  },
};
