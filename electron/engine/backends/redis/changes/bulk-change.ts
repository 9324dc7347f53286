import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { PartOptions } from '../../backend.ts';
import type { Command, CommandConnection, Outcome } from '../connection/command-connection.ts';
import { connectionLost, isConnectionLost } from '../connection/redis-failure.ts';
import { integerOf } from '../connection/reply.ts';

/** A key as the caller addresses it. */
export interface ChosenKey {
  readonly id: string;
  readonly key: Buffer;
}

/** Outcome for each key of a bulk change. */
export interface BulkOutcome {
  readonly changed: ChosenKey[];
  readonly failed: { _id: string; code: string; message: string }[];
  /** Keys that `isOver` left unchanged. */
  readonly left: number;
}

/** A change that is made to many keys. */
export interface KeyChange {
  /** Returns 1 if it changed the key. */
  command(key: Buffer): Command;
  /** Command that reads the state of a key if the change returned 0 or got no reply. */
  question(key: Buffer): Command;
  /** Interprets the reply to `question`: the key has the intended state, is gone, or was not changed for a reason. */
  verdict(reply: number): 'done' | 'gone' | Refusal;
}

export interface Refusal {
  readonly code: 'EXPECTATION_FAILED' | 'CONNECTION_NOT_OPEN';
  readonly message: string;
}

export interface BulkContext {
  readonly connection: CommandConnection;
  readonly clock: Clock;
}

/** Keys of one pipeline: it occupies the server for about 0.2 ms. */
const CHUNK = 100;
/** Longest wait for a lost connection before the state of keys without a reply is unknown. */
const RECONNECT_MS = 5_000;

/**
 * Changes keys in pipelines of a hundred. Each key succeeds or fails alone. If the connection is lost, the keys without
 * a reply are read after it is restored, so that the result states for each key whether it was changed; the keys after
 * them are not changed.
 */
export async function changeKeys(
  context: BulkContext,
  chosen: readonly ChosenKey[],
  change: KeyChange,
  { isOver }: PartOptions = {},
): Promise<BulkOutcome> {
  const changed: ChosenKey[] = [];
  const failed: BulkOutcome['failed'] = [];
  for (let from = 0; from < chosen.length; from += CHUNK) {
    if (from > 0 && isOver?.() === true) return { changed, failed, left: chosen.length - from };
    const chunk = chosen.slice(from, from + CHUNK);
    const outcomes = await context.connection.pipeline(chunk.map(({ key }) => change.command(key)));
    const open = new Map<ChosenKey, Outcome>();
    chunk.forEach((one, i) => {
      const outcome = outcomes[i] ?? { error: connectionLost('no reply') };
      if ('reply' in outcome && integerOf(outcome.reply) === 1) changed.push(one);
      else open.set(one, outcome);
    });
    for (const [one, problem] of await settle(context, open, change)) {
      if (problem === null) changed.push(one);
      else failed.push({ _id: one.id, ...problem });
    }
    if ([...open.values()].some(outcome => 'error' in outcome && isConnectionLost(outcome.error))) {
      for (const { id } of chosen.slice(from + CHUNK)) failed.push({ _id: id, ...NOT_SENT });
      break;
    }
  }
  return { changed, failed, left: 0 };
}

type Problem = { code: string; message: string };

const NOT_SENT: Problem = {
  code: 'CONNECTION_NOT_OPEN',
  message: 'The connection to the Redis server was lost before; this key is unchanged.',
};
const UNKNOWN: Problem = {
  code: 'CONNECTION_NOT_OPEN',
  message:
    'The connection to the Redis server was lost before its reply and not restored in time; whether this key was changed is unknown.',
};

/** Returns the problem of each key; null if it has the intended state. */
async function settle(
  context: BulkContext,
  open: ReadonlyMap<ChosenKey, Outcome>,
  change: KeyChange,
): Promise<[ChosenKey, Problem | null][]> {
  if (open.size === 0) return [];
  const { connection } = context;
  const refused = [...open].flatMap(([one, outcome]): [ChosenKey, Problem][] =>
    'error' in outcome && !isConnectionLost(outcome.error) ? [[one, problemOf(outcome.error)]] : [],
  );
  const asked = [...open.keys()].filter(one => !refused.some(([other]) => other === one));
  await becomesReady(context);
  const answers = await connection.pipeline(asked.map(({ key }) => change.question(key)));
  const settled = asked.map((one, i): [ChosenKey, Problem | null] => {
    const answer = answers[i];
    if (answer === undefined || 'error' in answer) return [one, UNKNOWN];
    const verdict = change.verdict(integerOf(answer.reply));
    if (verdict === 'done') return [one, null];
    return [one, verdict === 'gone' ? goneProblem(one.id) : verdict];
  });
  return [...refused, ...settled];
}

export function goneProblem(id: string): Problem {
  return { code: 'DOCUMENT_NOT_FOUND', message: `There is no key ${id}: it expired or was deleted.` };
}

function problemOf(error: Error): Problem {
  return {
    code: error instanceof SandglassError ? error.code : 'INTERNAL_SERVER_ERROR',
    message: error.message,
  };
}

function becomesReady({ connection, clock }: BulkContext): Promise<boolean> {
  if (connection.isReady) return Promise.resolve(true);
  return new Promise(resolve => {
    const done = () => {
      cancel();
      stop();
      resolve(connection.isReady);
    };
    const cancel = clock.setTimer(RECONNECT_MS, done);
    const stop = connection.onReady(done);
  });
}
