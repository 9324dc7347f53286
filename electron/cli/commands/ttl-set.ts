import { durationText } from '../../../shared/model/duration.ts';
import { withExpireAfter } from '../../../shared/model/ttl-index.ts';
import {
  actionInShort,
  differencesInShort,
  documentsInWords,
  scheduleInShort,
  sourceInShort,
} from '../output/format.ts';
import type { Command } from '../session/command.ts';
import { confirmEffect, effectInWords, YES } from '../session/confirm-effect.ts';
import { actionOf, EFFECT_OPTIONS, limitChangesOf, retentionOf, scheduleOf } from '../syntax/ttl-options.ts';

export const ttlSet: Command = {
  name: 'ttl set',
  summary: 'Change a TTL index; its exact effect is shown first',
  arguments: [{ name: 'COLLECTION' }, { name: 'INDEX' }],
  options: {
    'expire-after': { value: 'DURATION', help: 'how long after the reference time' },
    expression: {
      value: 'CEL',
      help: 'another expression, for an index that has one; has effect once it is built',
    },
    ...EFFECT_OPTIONS,
    ...YES,
  },
  notes: [
    'What is not named stays as it is. `default` returns a limit or the retention to the store’s own.',
    'The effect is shown where documents could be due at once: with --expire-after or --expression, and where an index observes no more.',
  ],
  store: 'opens',
  async run(session) {
    const { given, terminal, open } = session;
    const place = { collection: given.argument('COLLECTION'), index: given.argument('INDEX') };
    const expireAfter = given.seconds('expire-after');
    const expression = given.text('expression');
    if (expireAfter !== undefined && expression !== undefined)
      throw given.wrong(
        'An expression gives the deadline itself; name one of --expression and --expire-after.',
      );
    const source = expression === undefined ? undefined : ({ kind: 'expression', expression } as const);
    const onExpire = actionOf(given);
    const schedule = scheduleOf(given);
    const limits = limitChangesOf(given);
    const retention = retentionOf(given);
    const changes = {
      ...(expireAfter === undefined ? {} : { expireAfter }),
      ...(source === undefined ? {} : { source }),
      ...(onExpire === undefined ? {} : { onExpire }),
      ...(schedule === undefined ? {} : { schedule }),
      ...(Object.keys(limits).length === 0 ? {} : { limits }),
      ...(retention === undefined ? {} : { retention }),
    };
    if (Object.keys(changes).length === 0) throw given.wrong('Nothing to change was named.');
    const { client } = await open();
    const before = await client.ttlIndexes.get(place);
    let expect: { dueAtOnce: number; at: number } | undefined;
    const modeAfter = (schedule ?? before.schedule).mode;
    // An index that only observed acts on all that is due as soon as it observes no more.
    const begins = before.schedule.mode === 'observe' && modeAfter !== 'observe';
    if (expireAfter !== undefined || source !== undefined || begins) {
      const unchanged = before.successor?.source ?? before.source;
      const counted =
        source ?? (expireAfter === undefined ? unchanged : withExpireAfter(before.source, expireAfter));
      const preview = await client.ttlIndexes.preview({
        collection: place.collection,
        name: before.name,
        source: counted,
      });
      if (!terminal.json) for (const line of effectInWords(preview)) terminal.say(line);
      if (modeAfter !== 'observe') await confirmEffect(session, preview);
      expect = { dueAtOnce: preview.dueAtOnce, at: preview.at };
    }
    const after = await client.ttlIndexes.update({
      ...place,
      ...changes,
      ...(expect === undefined ? {} : { expect }),
    });
    await terminal.answer(after, () => [
      ...(after.pending === null
        ? []
        : [
            `Not all of it has an effect yet (${differencesInShort(after, after.pending.definition)}): ${documentsInWords(after.pending.dueAtOnce)} would be due at once. \`sandglass reaper confirm ${after.collection}/${after.name}\` gives it one.`,
          ]),
      ...(after.successor === null
        ? []
        : [
            `${sourceInShort(after.successor.source)} is being built; until then the present expression is in effect.`,
          ]),
      `Changed ${after.name} on ${after.collection}: ${sourceInShort(after.source)}, ${actionInShort(after.onExpire)}, ${scheduleInShort(after.schedule)}${
        after.retention === null ? '' : `, restorable for ${durationText(after.retention)}`
      }.`,
    ]);
    return undefined;
  },
};
