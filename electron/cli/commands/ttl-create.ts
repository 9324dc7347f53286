import { ORPCError } from '@orpc/client';
import { SandglassError } from '../../../shared/model/errors.ts';
import type { Command } from '../session/command.ts';
import { confirmEffect, effectInWords, YES } from '../session/confirm-effect.ts';
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

/** Throws what it is given, with what to do where there is no such collection. */
function tellHowToMake(error: unknown): never {
  if (!(error instanceof ORPCError) || error.code !== 'COLLECTION_NOT_FOUND') throw error;
  const hint = '`sandglass collections create` makes one, and so does `sandglass import`.';
  throw new SandglassError('COLLECTION_NOT_FOUND', `${error.message} ${hint}`, error.data ?? {});
}

export const ttlCreate: Command = {
  name: 'ttl create',
  summary: 'Create a TTL index; its exact effect is shown first',
  arguments: [{ name: 'COLLECTION' }],
  options: {
    name: { value: 'NAME', help: 'of the index (default: made from what it does)' },
    ...SOURCE_OPTIONS,
    ...EFFECT_OPTIONS,
    ...YES,
    'no-wait': { help: 'answer at once, and let it be built in the background' },
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
    const { given, terminal, signal, open } = session;
    const collection = given.argument('COLLECTION');
    const source = sourceOf(given);
    const onExpire = actionOf(given) ?? { action: 'delete' };
    const schedule = scheduleOf(given) ?? { mode: 'exact' };
    const limits = limitsOf(given);
    const retention = retentionOf(given) ?? null;
    const name = given.text('name');
    const { client } = await open();
    terminal.progress(`counting what ${collection} holds`);
    const preview = await client.ttlIndexes.preview({ collection, source }, { signal }).catch(tellHowToMake);
    if (!terminal.json) for (const line of effectInWords(preview)) terminal.say(line);
    if (schedule.mode !== 'observe') await confirmEffect(session, preview);
    const made = await client.ttlIndexes.create({
      collection,
      source,
      onExpire,
      schedule,
      limits,
      retention,
      ...(name === undefined ? {} : { name }),
      expect: { dueAtOnce: preview.dueAtOnce, at: preview.at },
    });
    if (made.job !== null && !given.has('no-wait'))
      await followJob(session, client, await client.jobs.get({ job: made.job }));
    const index = await client.ttlIndexes.get({ collection, index: made.name });
    await terminal.answer(index, () => [`Created ${index.name} on ${collection} (${index.state}).`]);
    return undefined;
  },
};
