import type { Client } from '../../../shared/contract/index.ts';
import type { PolicyChange } from '../../../shared/contract/ttl-indexes.ts';
import { definitionInShort, differencesInShort, instantInWords } from '../output/format.ts';
import { table } from '../output/terminal.ts';
import type { Command, Session } from '../session/command.ts';
import { confirmEffect, effectInWords, YES } from '../session/confirm-effect.ts';

export const ttlHistory: Command = {
  name: 'ttl history',
  summary: 'List each change of a TTL index: what, who and when, latest first [X5]',
  arguments: [{ name: 'COLLECTION' }, { name: 'INDEX' }],
  options: {},
  store: 'opens',
  async run({ given, terminal, open }) {
    const { client } = await open();
    const place = { collection: given.argument('COLLECTION'), index: given.argument('INDEX') };
    const [changes, { now }] = await Promise.all([client.ttlIndexes.history(place), client.store.info()]);
    await terminal.answer(changes, () =>
      changes.length === 0
        ? ['No change of it is known.']
        : table(
            ['change', 'what', 'by', 'at', 'definition'],
            changes.map(one => [
              String(one.id),
              one.change,
              one.by,
              instantInWords(one.at, now),
              changeInShort(one),
            ]),
          ),
    );
    return undefined;
  },
};

function changeInShort({ before, after }: PolicyChange): string {
  if (after === null) return 'none';
  if (before === null) return definitionInShort(after);
  return differencesInShort(before, after) || 'as before';
}

export const ttlRevert: Command = {
  name: 'ttl revert',
  summary: 'Put back what was before a change; its exact effect is shown first [X5]',
  arguments: [{ name: 'COLLECTION' }, { name: 'INDEX' }, { name: 'CHANGE' }],
  options: YES,
  notes: ['CHANGE is a number that `sandglass ttl history` lists.'],
  store: 'opens',
  async run(session) {
    const { given, terminal, open } = session;
    const place = { collection: given.argument('COLLECTION'), index: given.argument('INDEX') };
    const change = Number(given.argument('CHANGE'));
    if (!Number.isSafeInteger(change) || change < 0)
      throw given.wrong('CHANGE is a number that `sandglass ttl history` lists.');
    const { client } = await open();
    const history = await client.ttlIndexes.history(place);
    const expect = await seen(
      session,
      client,
      place,
      history.find(({ id }) => id === change),
    );
    const index = await client.ttlIndexes.revert({ ...place, change, ...(expect && { expect }) });
    await terminal.answer(index, () => [
      index.pending === null
        ? `${index.name} on ${index.collection} is as it was: ${definitionInShort(index)}.`
        : `${index.name} on ${index.collection} stays as it is until it is confirmed: \`sandglass reaper confirm ${index.collection}/${index.name}\`.`,
    ]);
    return undefined;
  },
};

/** What the person agreed to; undefined where nothing becomes due by it, or the engine is to say what is wrong. */
async function seen(
  session: Session,
  client: Client,
  { collection, index }: { collection: string; index: string },
  change: PolicyChange | undefined,
): Promise<{ dueAtOnce: number; at: number } | undefined> {
  if (change === undefined || change.before === null) return undefined;
  if (change.change === 'pause' || change.change === 'resume') return undefined;
  const { source, schedule } = change.before;
  const isThere = (await client.ttlIndexes.list({ collection })).some(({ name }) => name === index);
  const preview = await client.ttlIndexes.preview(
    isThere ? { collection, name: index, source } : { collection, source },
    { signal: session.signal },
  );
  if (!session.terminal.json) for (const line of effectInWords(preview)) session.terminal.say(line);
  if (schedule.mode !== 'observe') await confirmEffect(session, preview);
  return { dueAtOnce: preview.dueAtOnce, at: preview.at };
}
