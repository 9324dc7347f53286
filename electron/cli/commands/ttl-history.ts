import type { Client } from '../../../shared/contract/index.ts';
import type { PolicyChange } from '../../../shared/contract/ttl-indexes.ts';
import { formatDefinition, formatDifferences } from '../../../shared/model/definition-text.ts';
import { formatLocalInstant } from '../output/format.ts';
import { table } from '../output/terminal.ts';
import type { Command, Session } from '../session/command.ts';
import { confirmEffect, formatPreview, YES } from '../session/confirm-effect.ts';

export const ttlHistory: Command = {
  name: 'ttl history',
  summary: 'List the changes of a TTL index, latest first',
  arguments: [{ name: 'COLLECTION' }, { name: 'INDEX' }],
  options: {},
  store: 'opens',
  async run({ args, terminal, open }) {
    const { client } = await open();
    const target = { collection: args.argument('COLLECTION'), index: args.argument('INDEX') };
    const [changes, { now }] = await Promise.all([client.ttlIndexes.history(target), client.store.info()]);
    await terminal.answer(changes, () =>
      changes.length === 0
        ? ['No changes are recorded.']
        : table(
            ['change', 'what', 'by', 'at', 'definition'],
            changes.map(one => [
              String(one.id),
              one.change,
              one.by,
              formatLocalInstant(one.at, now),
              formatChange(one),
            ]),
          ),
    );
    return undefined;
  },
};

function formatChange({ before, after }: PolicyChange): string {
  if (after === null) return 'none';
  if (before === null) return formatDefinition(after);
  return formatDifferences(before, after) || 'unchanged';
}

export const ttlRevert: Command = {
  name: 'ttl revert',
  summary: 'Restore the definition before a change, after showing its exact effect',
  arguments: [{ name: 'COLLECTION' }, { name: 'INDEX' }, { name: 'CHANGE' }],
  options: YES,
  notes: ['CHANGE is a number from `sandglass ttl history`.'],
  store: 'opens',
  async run(session) {
    const { args, terminal, open } = session;
    const target = { collection: args.argument('COLLECTION'), index: args.argument('INDEX') };
    const change = Number(args.argument('CHANGE'));
    if (!Number.isSafeInteger(change) || change < 0)
      throw args.wrong('CHANGE is a number from `sandglass ttl history`.');
    const { client } = await open();
    const history = await client.ttlIndexes.history(target);
    const expect = await confirmRevert(
      session,
      client,
      target,
      history.find(({ id }) => id === change),
    );
    const index = await client.ttlIndexes.revert({ ...target, change, ...(expect && { expect }) });
    await terminal.answer(index, () => [
      index.pending === null
        ? `Restored ${index.name} on ${index.collection}: ${formatDefinition(index)}.`
        : `${index.name} on ${index.collection} changes once it is confirmed: \`sandglass reaper confirm ${index.collection}/${index.name}\`.`,
    ]);
    return undefined;
  },
};

/**
 * Shows and confirms the effect. Returns the expectation; undefined if nothing becomes due, or if the engine will
 * refuse.
 */
async function confirmRevert(
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
  if (!session.terminal.json) for (const line of formatPreview(preview)) session.terminal.message(line);
  if (schedule.mode !== 'observe') await confirmEffect(session, preview);
  return { dueAtOnce: preview.dueAtOnce, at: preview.at };
}
