import type { Client } from '../../../shared/contract/index.ts';
import type { Preview } from '../../../shared/contract/ttl-indexes.ts';
import { withExpireAfter } from '../../../shared/model/ttl-index.ts';
import type { Command, Session } from '../session/command.ts';
import { formatPreview } from '../session/confirm-effect.ts';
import { hasSource, SOURCE_OPTIONS, sourceOf } from '../syntax/ttl-options.ts';

export const ttlPreview: Command = {
  name: 'ttl preview',
  summary: 'Show the exact effect of creating, changing or dropping an index, without writing',
  arguments: [{ name: 'COLLECTION' }, { name: 'INDEX', optional: true }],
  options: {
    ...SOURCE_OPTIONS,
    drop: { help: 'preview dropping INDEX' },
  },
  notes: ['With INDEX, --expire-after is the new value of that index.'],
  store: 'opens',
  async run(session) {
    const { client } = await session.open();
    const preview = await requestPreview(session, client);
    await session.terminal.answer(preview, () => formatPreview(preview));
    return undefined;
  },
};

async function requestPreview({ args, signal }: Session, client: Client): Promise<Preview> {
  const collection = args.argument('COLLECTION');
  const name = args.optional('INDEX');
  if (name === undefined) {
    if (args.has('drop')) throw args.wrong('--drop needs an INDEX.');
    return client.ttlIndexes.preview({ collection, source: sourceOf(args) }, { signal });
  }
  if (args.has('drop')) {
    if (hasSource(args)) throw args.wrong('--drop excludes the options of a source.');
    return client.ttlIndexes.preview({ collection, name, drop: true }, { signal });
  }
  const expireAfter = args.seconds('expire-after');
  if (expireAfter === undefined) throw args.wrong('Give the change: --expire-after DURATION or --drop.');
  const { source } = await client.ttlIndexes.get({ collection, index: name });
  return client.ttlIndexes.preview(
    { collection, name, source: withExpireAfter(source, expireAfter) },
    { signal },
  );
}
