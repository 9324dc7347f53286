import type { ReaperState } from '../../../shared/contract/reaper.ts';
import { formatCount, formatDuration } from '../../../shared/model/format.ts';
import { EXIT } from '../output/exit-codes.ts';
import { CommandFailed } from '../output/failures.ts';
import { formatLocalInstant, formatRelativeOrDash } from '../output/format.ts';
import { fields } from '../output/terminal.ts';
import type { Command, Session } from '../session/command.ts';
import { confirmRefused, YES } from '../session/confirm-effect.ts';
import type { ParsedArguments } from '../syntax/parsed-arguments.ts';

const SCOPE = [{ name: 'COLLECTION[/INDEX]', optional: true }] as const;

/** Returns an empty scope for the whole store. Names contain no slash [C1]. */
function scopeOf(args: ParsedArguments): { collection?: string; index?: string } {
  const text = args.optional('COLLECTION[/INDEX]');
  if (text === undefined) return {};
  const [collection = '', index, ...rest] = text.split('/');
  if (collection === '' || index === '' || rest.length > 0)
    throw args.wrong(`“${text}” is not COLLECTION or COLLECTION/INDEX.`);
  return index === undefined ? { collection } : { collection, index };
}

async function answerState({ terminal }: Session, state: ReaperState, now: number): Promise<void> {
  await terminal.answer(state, () => formatReaperState(state, now));
}

function formatReaperState(state: ReaperState, now: number): string[] {
  const since = (at: number) => formatRelativeOrDash(at, now);
  return [
    ...fields([
      ['reaper', state.active ? `${state.state}, removing now` : state.state],
      // A wake-up in the past means that a pass is due.
      [
        'next wake-up',
        state.nextWakeAt !== null && state.nextWakeAt <= now
          ? 'now'
          : formatLocalInstant(state.nextWakeAt, now),
      ],
      ['removed', `${formatCount(Math.round(state.removedPerSecond))}/s`],
      ['written', `${formatCount(Math.round(state.writtenPerSecond))}/s`],
    ]),
    ...(state.paused === null
      ? []
      : [`The store is paused by ${state.paused.by}, ${since(state.paused.since)}.`]),
    ...state.pausedCollections.map(one => `${one.collection} is paused by ${one.by}, ${since(one.since)}.`),
    ...state.pausedIndexes.map(
      one => `${one.collection}/${one.index} is paused by ${one.by}, ${since(one.since)}.`,
    ),
    ...state.holds.map(
      one =>
        `${one.collection ?? 'The store'} is held, ${since(one.since)}: ${one.sentence} (sandglass reaper confirm${one.collection === null ? '' : ` ${one.collection}`})`,
    ),
    ...(state.problem === null
      ? []
      : [
          `Passes fail, first ${since(state.problem.since)}: ${state.problem.message} Next attempt ${since(state.problem.retryAt)}.`,
        ]),
  ];
}

const status: Command = {
  name: 'reaper status',
  summary: 'Show the reaper’s state, rates, pauses and holds',
  arguments: [],
  options: {},
  store: 'opens',
  async run(session) {
    const { client } = await session.open();
    const [state, { now }] = await Promise.all([client.reaper.get(), client.store.info()]);
    await answerState(session, state, now);
    return undefined;
  },
};

const pause: Command = {
  name: 'reaper pause',
  summary: 'Pause expiry of the store, a collection or an index',
  arguments: SCOPE,
  options: {},
  store: 'opens',
  async run(session) {
    const scope = scopeOf(session.args);
    const { client } = await session.open();
    const state = await client.reaper.pause(scope);
    await answerState(session, state, (await client.store.info()).now);
    return undefined;
  },
};

const resume: Command = {
  name: 'reaper resume',
  summary: 'Resume expiry of the store, a collection or an index',
  arguments: SCOPE,
  options: YES,
  store: 'opens',
  async run(session) {
    const scope = scopeOf(session.args);
    const { client } = await session.open();
    const state = await confirmRefused(session, expect =>
      client.reaper.resume({ ...scope, ...(expect && { expect }) }),
    );
    await answerState(session, state, (await client.store.info()).now);
    return undefined;
  },
};

const runNow: Command = {
  name: 'reaper run',
  summary: 'Run a pass now; skips collections and indexes that are paused themselves, unless named',
  arguments: SCOPE,
  options: YES,
  store: 'opens',
  async run(session) {
    const { args, terminal, clock, open } = session;
    const scope = scopeOf(args);
    const { client } = await open();
    const began = clock.elapsed();
    const answer = await confirmRefused(session, expect =>
      client.reaper.run({ ...scope, ...(expect && { expect }) }),
    );
    await terminal.answer(answer, () => [
      `${formatCount(answer.removed)} removed, ${formatCount(answer.changed)} changed, ${formatCount(answer.quarantined)} quarantined in ${formatDuration(clock.elapsed() - began)}.`,
    ]);
    return undefined;
  },
};

const confirm: Command = {
  name: 'reaper confirm',
  summary: 'Confirm and end a hold of a collection, of an index definition, or of the whole store',
  arguments: SCOPE,
  options: {
    hold: { value: 'ID', help: 'only the hold with this id, from `sandglass reaper status --json`' },
    ...YES,
  },
  store: 'opens',
  async run(session) {
    const { args } = session;
    const { collection, index } = scopeOf(args);
    const { client } = await session.open();
    const { holds } = await client.reaper.get();
    const ofIndex =
      index === undefined
        ? undefined
        : holds.find(one => one.collection === collection && one.index === index);
    if (collection !== undefined && index !== undefined && ofIndex === undefined) {
      // Throws TTL_INDEX_NOT_FOUND.
      await client.ttlIndexes.get({ collection, index });
      throw new CommandFailed(EXIT.conflict, `Nothing of ${collection}/${index} is held.`);
    }
    const hold = ofIndex?.id ?? args.text('hold');
    const state = await confirmRefused(session, expect =>
      client.reaper.confirm({
        ...(collection === undefined || hold !== undefined ? {} : { collection }),
        ...(hold === undefined ? {} : { hold }),
        ...(expect && { expect }),
      }),
    );
    await answerState(session, state, (await client.store.info()).now);
    return undefined;
  },
};

export const reaperCommands: readonly Command[] = [status, pause, resume, runNow, confirm];
