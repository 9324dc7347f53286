import {
  formatAction,
  formatDeadline,
  formatDifferences,
  formatSchedule,
} from '../../../shared/model/definition-text.ts';
import { formatExactDuration } from '../../../shared/model/duration.ts';
import { withExpireAfter } from '../../../shared/model/ttl-index.ts';
import { formatDocuments } from '../output/format.ts';
import type { Command } from '../session/command.ts';
import { confirmEffect, formatPreview, YES } from '../session/confirm-effect.ts';
import { actionOf, EFFECT_OPTIONS, limitChangesOf, retentionOf, scheduleOf } from '../syntax/ttl-options.ts';

export const ttlSet: Command = {
  name: 'ttl set',
  summary: 'Change a TTL index, after showing its exact effect',
  arguments: [{ name: 'COLLECTION' }, { name: 'INDEX' }],
  options: {
    'expire-after': { value: 'DURATION', help: 'time from the reference time to the deadline' },
    expression: {
      value: 'CEL',
      help: 'new expression, for an index with an expression; effective once it is built',
    },
    ...EFFECT_OPTIONS,
    ...YES,
  },
  notes: [
    'Options that are not given stay unchanged. `default` resets a limit or the retention to the store’s setting.',
    'The effect is shown where documents could be due at once: with --expire-after or --expression, and when leaving the schedule observe.',
  ],
  store: 'opens',
  async run(session) {
    const { args, terminal, open } = session;
    const target = { collection: args.argument('COLLECTION'), index: args.argument('INDEX') };
    const expireAfter = args.seconds('expire-after');
    const expression = args.text('expression');
    if (expireAfter !== undefined && expression !== undefined)
      throw args.wrong(
        'An expression returns the deadline itself: give either --expression or --expire-after.',
      );
    const source = expression === undefined ? undefined : ({ kind: 'expression', expression } as const);
    const onExpire = actionOf(args);
    const schedule = scheduleOf(args);
    const limits = limitChangesOf(args);
    const retention = retentionOf(args);
    const changes = {
      ...(expireAfter === undefined ? {} : { expireAfter }),
      ...(source === undefined ? {} : { source }),
      ...(onExpire === undefined ? {} : { onExpire }),
      ...(schedule === undefined ? {} : { schedule }),
      ...(Object.keys(limits).length === 0 ? {} : { limits }),
      ...(retention === undefined ? {} : { retention }),
    };
    if (Object.keys(changes).length === 0) throw args.wrong('Give at least one option to change.');
    const { client } = await open();
    const before = await client.ttlIndexes.get(target);
    let expect: { dueAtOnce: number; at: number } | undefined;
    const modeAfter = (schedule ?? before.schedule).mode;
    // An index that stops observing acts on all overdue documents at once.
    const begins = before.schedule.mode === 'observe' && modeAfter !== 'observe';
    if (expireAfter !== undefined || source !== undefined || begins) {
      const unchanged = before.successor?.source ?? before.source;
      const counted =
        source ?? (expireAfter === undefined ? unchanged : withExpireAfter(before.source, expireAfter));
      const preview = await client.ttlIndexes.preview({
        collection: target.collection,
        name: before.name,
        source: counted,
      });
      if (!terminal.json) for (const line of formatPreview(preview)) terminal.message(line);
      if (modeAfter !== 'observe') await confirmEffect(session, preview);
      expect = { dueAtOnce: preview.dueAtOnce, at: preview.at };
    }
    const after = await client.ttlIndexes.update({
      ...target,
      ...changes,
      ...(expect === undefined ? {} : { expect }),
    });
    await terminal.answer(after, () => [
      ...(after.pending === null
        ? []
        : [
            `Not effective until confirmed (${formatDifferences(after, after.pending.definition)}): ${formatDocuments(after.pending.dueAtOnce)} would be due at once. Confirm with \`sandglass reaper confirm ${after.collection}/${after.name}\`.`,
          ]),
      ...(after.successor === null
        ? []
        : [
            `${formatDeadline(after.successor.source)} is being built; until then the current expression stays effective.`,
          ]),
      `Changed ${after.name} on ${after.collection}: ${formatDeadline(after.source)}, ${formatAction(after.onExpire)}, ${formatSchedule(after.schedule)}${
        after.retention === null ? '' : `, restorable for ${formatExactDuration(after.retention)}`
      }.`,
    ]);
    return undefined;
  },
};
