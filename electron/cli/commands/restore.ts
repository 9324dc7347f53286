import { formatCount } from '../../../shared/model/format.ts';
import { EXIT } from '../output/exit-codes.ts';
import type { Command } from '../session/command.ts';
import { failuresInWords, followJob } from '../session/follow-job.ts';
import type { Given } from '../syntax/parsed-arguments.ts';

export const restore: Command = {
  name: 'restore',
  summary: 'Bring back what expired, pinned or with a new expiration [X4]',
  arguments: [{ name: 'IDS', optional: true, many: true }],
  options: {
    collection: { value: 'COLLECTION', help: 'all that expired here, instead of single ones' },
    index: { value: 'INDEX', help: 'of the collection, only what this one removed' },
    since: { value: 'TIME', help: 'removed at or after: a date, or how long ago, as 2h' },
    until: { value: 'TIME', help: 'removed at or before' },
    after: { value: 'DURATION', help: 'expires so long from now (default: never again by itself)' },
    at: { value: 'TIME', help: 'expires at this date, or so long from now' },
    'on-conflict': {
      value: 'skip|replace|newId',
      help: 'where the _id was taken since (default: skip)',
    },
  },
  notes: [
    'IDS name expiries, not documents: they are the `id`s that `sandglass expired` lists.',
    'Ends with 1 where some could not be brought back.',
  ],
  store: 'opens',
  async run(session) {
    const { given, terminal, open } = session;
    const ids = [...given.all('IDS')];
    const collection = given.text('collection');
    if ((ids.length === 0) === (collection === undefined))
      throw given.wrong('Name either IDS or --collection COLLECTION.');
    if (collection === undefined && ['index', 'since', 'until'].some(option => given.has(option)))
      throw given.wrong('--index, --since and --until belong to --collection.');
    const onConflict = given.oneOf('on-conflict', ['skip', 'replace', 'newId']) ?? 'skip';
    const { client } = await open();
    const { now } = await client.store.info();
    const started = await client.expired.restore({
      what: collection === undefined ? { ids } : { collection, ...spanOf(given, now) },
      expiration: expirationOf(given, now),
      onConflict,
    });
    const job = await followJob(session, client, started);
    const { succeeded = 0, failedCount = 0 } = job;
    await terminal.answer(job, () => [
      succeeded + failedCount === 0
        ? 'There is nothing left to restore.'
        : `${formatCount(succeeded)} brought back, ${formatCount(failedCount)} not.`,
      ...failuresInWords(job),
    ]);
    return failedCount === 0 ? EXIT.done : EXIT.failed;
  },
};

function spanOf(given: Given, now: number): { index?: string; removedFrom?: number; removedTo?: number } {
  const index = given.text('index');
  const removedFrom = given.instant('since', now, 'ago');
  const removedTo = given.instant('until', now, 'ago');
  return {
    ...(index === undefined ? {} : { index }),
    ...(removedFrom === undefined ? {} : { removedFrom }),
    ...(removedTo === undefined ? {} : { removedTo }),
  };
}

function expirationOf(given: Given, now: number): { never: true } | { after: number } | { at: number } {
  const after = given.seconds('after');
  const at = given.instant('at', now, 'from now');
  if (after !== undefined && at !== undefined) throw given.wrong('Give --after or --at, not both.');
  if (after !== undefined) return { after };
  return at === undefined ? { never: true } : { at };
}
