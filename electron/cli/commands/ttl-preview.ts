import type { Client } from '../../../shared/contract/index.ts';
import type { Preview } from '../../../shared/contract/ttl-indexes.ts';
import { withExpireAfter } from '../../../shared/model/ttl-index.ts';
import type { Command, Session } from '../session/command.ts';
import { effectInWords } from '../session/confirm-effect.ts';
import { hasSource, SOURCE_OPTIONS, sourceOf } from '../syntax/ttl-options.ts';

export const ttlPreview: Command = {
  name: 'ttl preview',
  summary: 'Tell exactly what creating, changing or dropping an index would do; nothing is written [X3]',
  arguments: [{ name: 'COLLECTION' }, { name: 'INDEX', optional: true }],
  options: {
    ...SOURCE_OPTIONS,
    drop: { help: 'drop INDEX' },
  },
  notes: ['With INDEX, --expire-after says what it would be changed to.'],
  store: 'opens',
  async run(session) {
    const { client } = await session.open();
    const preview = await ask(session, client);
    await session.terminal.answer(preview, () => effectInWords(preview));
    return undefined;
  },
};

async function ask({ given, signal }: Session, client: Client): Promise<Preview> {
  const collection = given.argument('COLLECTION');
  const name = given.optional('INDEX');
  if (name === undefined) {
    if (given.has('drop')) throw given.wrong('--drop needs an INDEX.');
    return client.ttlIndexes.preview({ collection, source: sourceOf(given) }, { signal });
  }
  if (given.has('drop')) {
    if (hasSource(given)) throw given.wrong('--drop takes nothing else.');
    return client.ttlIndexes.preview({ collection, name, drop: true }, { signal });
  }
  const expireAfter = given.seconds('expire-after');
  if (expireAfter === undefined)
    throw given.wrong('Say what would change: --expire-after DURATION or --drop.');
  const { source } = await client.ttlIndexes.get({ collection, index: name });
  return client.ttlIndexes.preview(
    { collection, name, source: withExpireAfter(source, expireAfter) },
    { signal },
  );
}
