import type { ReaperState } from '../../../shared/contract/reaper.ts';
import { formatCount, formatDuration } from '../../../shared/model/format.ts';
import { EXIT } from '../output/exit-codes.ts';
import { CommandFailed } from '../output/failures.ts';
import { instantInWords, relativeInWords } from '../output/format.ts';
import { fields } from '../output/terminal.ts';
import type { Command, Session } from '../session/command.ts';
import type { Given } from '../syntax/parsed-arguments.ts';

const SCOPE = [{ name: 'COLLECTION[/INDEX]', optional: true }] as const;

/** Nothing: the whole store. Neither name holds a slash [C1]. */
function scopeOf(given: Given): { collection?: string; index?: string } {
  const text = given.optional('COLLECTION[/INDEX]');
  if (text === undefined) return {};
  const [collection = '', index, ...rest] = text.split('/');
  if (collection === '' || index === '' || rest.length > 0)
    throw given.wrong(`“${text}” is not COLLECTION or COLLECTION/INDEX.`);
  return index === undefined ? { collection } : { collection, index };
}

async function tell({ terminal }: Session, state: ReaperState, now: number): Promise<void> {
  await terminal.answer(state, () => stateInWords(state, now));
}

function stateInWords(state: ReaperState, now: number): string[] {
  const since = (at: number) => relativeInWords(at, now);
  return [
    ...fields([
      ['reaper', state.active ? `${state.state}, removing now` : state.state],
      // What is due already it does not sleep until.
      [
        'next wake-up',
        state.nextWakeAt !== null && state.nextWakeAt <= now ? 'now' : instantInWords(state.nextWakeAt, now),
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
          `It fails since ${since(state.problem.since)}: ${state.problem.message} It tries again ${since(state.problem.retryAt)}.`,
        ]),
  ];
}

const status: Command = {
  name: 'reaper status',
  summary: 'What the reaper does, and what stops it',
  arguments: [],
  options: {},
  store: 'opens',
  async run(session) {
    const { client } = await session.open();
    const [state, { now }] = await Promise.all([client.reaper.get(), client.store.info()]);
    await tell(session, state, now);
    return undefined;
  },
};

/** Pausing and resuming differ in one word. */
function stopOrGo(verb: 'pause' | 'resume', summary: string): Command {
  return {
    name: `reaper ${verb}`,
    summary,
    arguments: SCOPE,
    options: {},
    store: 'opens',
    async run(session) {
      const scope = scopeOf(session.given);
      const { client } = await session.open();
      const state = await client.reaper[verb](scope);
      await tell(session, state, (await client.store.info()).now);
      return undefined;
    },
  };
}

const runNow: Command = {
  name: 'reaper run',
  summary: 'Run a pass now; spares what is paused more narrowly than what it names',
  arguments: SCOPE,
  options: {},
  store: 'opens',
  async run({ given, terminal, clock, open }) {
    const scope = scopeOf(given);
    const { client } = await open();
    const began = clock.elapsed();
    const answer = await client.reaper.run(scope);
    await terminal.answer(answer, () => [
      `${formatCount(answer.removed)} removed, ${formatCount(answer.changed)} changed, ${formatCount(answer.quarantined)} quarantined in ${formatDuration(clock.elapsed() - began)}.`,
    ]);
    return undefined;
  },
};

const confirm: Command = {
  name: 'reaper confirm',
  summary: 'End a hold: of a collection, of one index’s definition, or of the whole store',
  arguments: SCOPE,
  options: { hold: { value: 'ID', help: 'only this one, as `sandglass reaper status --json` names it' } },
  store: 'opens',
  async run(session) {
    const { given } = session;
    const { collection, index } = scopeOf(given);
    const { client } = await session.open();
    const { holds } = await client.reaper.get();
    const ofIndex =
      index === undefined
        ? undefined
        : holds.find(one => one.collection === collection && one.index === index);
    if (collection !== undefined && index !== undefined && ofIndex === undefined) {
      // Where there is no such index, this says so.
      await client.ttlIndexes.get({ collection, index });
      throw new CommandFailed(EXIT.conflict, `Nothing of ${collection}/${index} is held.`);
    }
    const hold = ofIndex?.id ?? given.text('hold');
    const state = await client.reaper.confirm({
      ...(collection === undefined || hold !== undefined ? {} : { collection }),
      ...(hold === undefined ? {} : { hold }),
    });
    await tell(session, state, (await client.store.info()).now);
    return undefined;
  },
};

export const reaperCommands: readonly Command[] = [
  status,
  stopOrGo('pause', 'Pause the store, a collection or an index [R6]'),
  stopOrGo('resume', 'Resume what was paused'),
  runNow,
  confirm,
];
