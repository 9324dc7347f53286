import { ORPCError } from '@orpc/client';
import { SandglassError } from '../../../shared/model/errors.ts';
import type { Command } from '../session/command.ts';
import { confirmEffect, confirmNoDeadline, formatPreview, YES } from '../session/confirm-effect.ts';
import { followJob } from '../session/follow-job.ts';
import {
  actionOf,
  EFFECT_OPTIONS,
  limitsOf,
  retentionOf,
  SOURCE_OPTIONS,
  scheduleOf,
  sourceOf,
} from '../syntax/ttl-options.ts';

/** Rethrows an error. COLLECTION_NOT_FOUND gets the commands that create a collection. */
function rethrowWithHint(error: unknown): never {
  if (!(error instanceof ORPCError) || error.code !== 'COLLECTION_NOT_FOUND') throw error;
  const hint = '`sandglass collections create` and `sandglass import` create one.';
  throw new SandglassError('COLLECTION_NOT_FOUND', `${error.message} ${hint}`, error.data ?? {});
}

export const ttlCreate: Command = {
  name: 'ttl create',
  summary: 'Create a TTL index, after showing its exact effect',
  arguments: [{ name: 'COLLECTION' }],
  options: {
    name: { value: 'NAME', help: 'name of the index (default: from its source)' },
    ...SOURCE_OPTIONS,
    ...EFFECT_OPTIONS,
    ...YES,
    'no-wait': { help: 'return at once, while the index is built in the background' },
  },
  notes: [
    'Examples:',
    '  sandglass ttl create sessions --field lastSeen --expire-after 30d',
    '  sandglass ttl create orders --field paidAt --expire-after 90d --action move:orders_archive',
    '  sandglass ttl create jobs --field claim.until --expire-after 0 --action patch:\'{"claim":null}\'',
    '  sandglass ttl create carts --last-modified --expire-after 72h --schedule observe',
  ],
  store: 'opens',
  async run(session) {
    const { args, terminal, signal, open } = session;
    const collection = args.argument('COLLECTION');
    const source = sourceOf(args);
    const onExpire = actionOf(args) ?? { action: 'delete' };
    const schedule = scheduleOf(args) ?? { mode: 'exact' };
    const limits = limitsOf(args);
    const retention = retentionOf(args) ?? null;
    const name = args.text('name');
    const { client } = await open();
    terminal.progress(`counting the documents of ${collection}`);
    const preview = await client.ttlIndexes
      .preview({ collection, source }, { signal })
      .catch(rethrowWithHint);
    if (!terminal.json) for (const line of formatPreview(preview)) terminal.message(line);
    if (schedule.mode !== 'observe') await confirmEffect(session, preview);
    await confirmNoDeadline(session, preview);
    const created = await client.ttlIndexes.create({
      collection,
      source,
      onExpire,
      schedule,
      limits,
      retention,
      ...(name === undefined ? {} : { name }),
      expect: { dueAtOnce: preview.dueAtOnce, at: preview.at },
    });
    if (created.job !== null && !args.has('no-wait'))
      await followJob(session, client, await client.jobs.get({ job: created.job }));
    const index = await client.ttlIndexes.get({ collection, index: created.name });
    await terminal.answer(index, () => [`Created ${index.name} on ${collection} (${index.state}).`]);
    return undefined;
  },
};
