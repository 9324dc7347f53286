import { formatCount } from '../../../shared/model/format.ts';
import { EXIT } from '../output/exit-codes.ts';
import type { Command } from '../session/command.ts';
import { followJob, formatFailures } from '../session/follow-job.ts';
import type { ParsedArguments } from '../syntax/parsed-arguments.ts';

export const restore: Command = {
  name: 'restore',
  summary: 'Restore expired documents, pinned or with a new expiration',
  arguments: [{ name: 'IDS', optional: true, many: true }],
  options: {
    collection: {
      value: 'COLLECTION',
      help: 'all documents that expired in this collection, instead of IDS',
    },
    index: { value: 'INDEX', help: 'only those that this index removed; needs --collection' },
    cause: {
      value: 'expired|deleted|any',
      help: 'only those that expired, or were deleted by hand; needs --collection (default: expired)',
    },
    since: { value: 'TIME', help: 'only those removed at or after: a date, or a duration ago such as 2h' },
    until: { value: 'TIME', help: 'only those removed at or before' },
    after: {
      value: 'DURATION',
      help: 'new expiration, a duration from now (default: pinned, never expires)',
    },
    at: { value: 'TIME', help: 'new expiration at a date, or a duration from now' },
    'on-conflict': {
      value: 'skip|replace|newId',
      help: 'what to do where the _id is in use again (default: skip)',
    },
  },
  notes: [
    'IDS are the ids of expiries that `sandglass expired` lists, not the _ids of documents.',
    'The exit code is 1 where documents could not be restored.',
  ],
  store: 'opens',
  async run(session) {
    const { args, terminal, open } = session;
    const ids = [...args.all('IDS')];
    const collection = args.text('collection');
    if ((ids.length === 0) === (collection === undefined))
      throw args.wrong('Name either IDS or --collection COLLECTION.');
    if (collection === undefined && ['index', 'cause', 'since', 'until'].some(option => args.has(option)))
      throw args.wrong('--index, --cause, --since and --until need --collection.');
    const onConflict = args.oneOf('on-conflict', ['skip', 'replace', 'newId']) ?? 'skip';
    const { client } = await open();
    const { now } = await client.store.info();
    const started = await client.expired.restore({
      what: collection === undefined ? { ids } : { collection, ...spanOf(args, now) },
      expiration: expirationOf(args, now),
      onConflict,
    });
    const job = await followJob(session, client, started);
    const { succeeded = 0, failedCount = 0 } = job;
    await terminal.answer(job, () => [
      succeeded + failedCount === 0
        ? 'There is nothing to restore.'
        : `${formatCount(succeeded)} restored, ${formatCount(failedCount)} not.`,
      ...formatFailures(job),
    ]);
    return failedCount === 0 ? EXIT.done : EXIT.failed;
  },
};

const CAUSES = ['expired', 'deleted', 'any'] as const;

function spanOf(
  args: ParsedArguments,
  now: number,
): { index?: string; cause?: (typeof CAUSES)[number]; removedFrom?: number; removedTo?: number } {
  const cause = args.oneOf('cause', CAUSES);
  const index = args.text('index');
  const removedFrom = args.instant('since', now, 'ago');
  const removedTo = args.instant('until', now, 'ago');
  return {
    ...(index === undefined ? {} : { index }),
    ...(cause === undefined ? {} : { cause }),
    ...(removedFrom === undefined ? {} : { removedFrom }),
    ...(removedTo === undefined ? {} : { removedTo }),
  };
}

function expirationOf(
  args: ParsedArguments,
  now: number,
): { never: true } | { after: number } | { at: number } {
  const after = args.seconds('after');
  const at = args.instant('at', now, 'from now');
  if (after !== undefined && at !== undefined) throw args.wrong('Give --after or --at, not both.');
  if (after !== undefined) return { after };
  return at === undefined ? { never: true } : { at };
}
