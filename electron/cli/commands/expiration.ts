import type { Client } from '../../../shared/contract/index.ts';
import type { Job } from '../../../shared/contract/jobs.ts';
import { DEADLINE_CONDITIONS } from '../../../shared/model/deadline-condition.ts';
import { formatCount } from '../../../shared/model/format.ts';
import { EXIT } from '../output/exit-codes.ts';
import type { Command, Session } from '../session/command.ts';
import { confirmRefused, YES } from '../session/confirm-effect.ts';
import { followJob, formatFailures } from '../session/follow-job.ts';

const expirationSet: Command = {
  name: 'expiration set',
  summary: 'Set or clear the deadlines of documents by hand',
  arguments: [{ name: 'COLLECTION' }, { name: 'IDS', optional: true, many: true }],
  options: {
    all: { help: 'all documents of the collection, instead of IDS' },
    after: { value: 'DURATION', help: 'deadline a duration from now' },
    at: { value: 'TIME', help: 'deadline at a date, or a duration from now' },
    clear: { help: 'no deadline set by hand' },
    only: {
      value: DEADLINE_CONDITIONS.join('|'),
      help: 'only documents without a deadline, with one, with an earlier or with a later one (Redis)',
    },
    preview: { help: 'show the effect, and change nothing' },
    ...YES,
  },
  notes: [
    'The exit code is 1 where deadlines could not be set.',
    'The id of the job is shown where `sandglass expiration undo` can set the deadlines back.',
  ],
  store: 'opens',
  async run(session) {
    const { args, terminal, open } = session;
    const collection = args.argument('COLLECTION');
    const ids = [...args.all('IDS')];
    if ((ids.length === 0) === !args.has('all')) throw args.wrong('Name either IDS or --all.');
    const { client } = await open();
    const { now } = await client.store.info();
    const only = args.oneOf('only', DEADLINE_CONDITIONS);
    const change = {
      collection,
      ...(ids.length > 0 ? { ids } : { filter: {} }),
      ...settingOf(session, now),
      ...(only === undefined ? {} : { only }),
    };
    if (args.has('preview')) {
      const effect = await client.documents.previewExpirations(change);
      await terminal.answer(effect, () => [
        `${formatCount(effect.due)} more expire within 24 h.`,
        ...(effect.unchanged === undefined ? [] : [`${formatCount(effect.unchanged)} stay unchanged.`]),
      ]);
      return undefined;
    }
    return follow(session, client, expect =>
      client.documents.setExpirations({ ...change, ...(expect === undefined ? {} : { expect }) }),
    );
  },
};

const expirationUndo: Command = {
  name: 'expiration undo',
  summary: 'Set back the deadlines that a job changed, where they are still as it left them',
  arguments: [{ name: 'JOB' }],
  options: YES,
  notes: ['The exit code is 1 where deadlines could not be set back.'],
  store: 'opens',
  async run(session) {
    const job = session.args.argument('JOB');
    const { client } = await session.open();
    return follow(session, client, expect =>
      client.jobs.undo({ job, ...(expect === undefined ? {} : { expect }) }),
    );
  },
};

export const expirationCommands: readonly Command[] = [expirationSet, expirationUndo];

function settingOf(
  { args }: Session,
  now: number,
): { set: { after: number } | { at: number } } | { clear: true } {
  const after = args.seconds('after');
  const at = args.instant('at', now, 'from now');
  const given = [after !== undefined, at !== undefined, args.has('clear')].filter(Boolean).length;
  if (given !== 1) throw args.wrong('Give one of --after, --at and --clear.');
  if (after !== undefined) return { set: { after } };
  return at === undefined ? { clear: true } : { set: { at } };
}

async function follow(
  session: Session,
  client: Client,
  start: (expect: { due: number } | undefined) => Promise<Job>,
): Promise<number> {
  const job = await followJob(session, client, await confirmRefused(session, start));
  const { succeeded = 0, failedCount = 0, unchangedCount, undoable, id } = job;
  const unchanged = unchangedCount === undefined ? '' : `, ${formatCount(unchangedCount)} left unchanged`;
  await session.terminal.answer(job, () => [
    `${formatCount(succeeded)} changed${unchanged}, ${formatCount(failedCount)} failed.`,
    ...(undoable === undefined ? [] : [`Undo: sandglass expiration undo ${id}`]),
    ...formatFailures(job),
  ]);
  return failedCount === 0 ? EXIT.done : EXIT.failed;
}
