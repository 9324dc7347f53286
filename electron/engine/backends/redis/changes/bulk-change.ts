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
export interface BulkOutcome<Key extends ChosenKey = ChosenKey> {
  readonly changed: Key[];
  readonly failed: { _id: string; code: string; message: string }[];
  /** Keys that `isOver` left unchanged. */
  readonly left: number;
  /** Replies to `KeyChange.before`, of those keys for which one came. */
  readonly before: ReadonlyMap<Key, number>;
}

/** A change that is made to many keys. */
export interface KeyChange<Key extends ChosenKey = ChosenKey> {
  /** Returns 1 if it changed the key. */
  command(key: Key): Command;
  /** Command that reads the state of a key, sent immediately before the change. */
  before?(key: Key): Command;
  /** Command that reads the state of a key if the change returned 0 or got no reply. */
  question(key: Key): Command;
  /**
   * Interprets the reply to `question`: the key has the intended state, is gone, or was not changed for a reason.
   * `wasAnswered`: the change returned 0, so it did not change the key.
   */
  verdict(reply: number, key: Key, wasAnswered: boolean): 'done' | 'gone' | Refusal;
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
 * @internal
 */
export async function changeKeys<Key extends ChosenKey>(
  context: BulkContext,
  chosen: readonly Key[],
  change: KeyChange<Key>,
  { isOver }: PartOptions = {},
): Promise<BulkOutcome<Key>> {
  const changed: Key[] = [];
  const failed: BulkOutcome['failed'] = [];
  const before = new Map<Key, number>();
  for (let from = 0; from < chosen.length; from += CHUNK) {
    if (from > 0 && isOver?.() === true) return { changed, failed, left: chosen.length - from, before };
    const chunk = chosen.slice(from, from + CHUNK);
    const outcomes = await sendChanges(context.connection, chunk, change, before);
    const open = new Map<Key, Outcome>();
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
  return { changed, failed, left: 0, before };
}

/** Returns the outcome of the change of each key, and adds the replies to `KeyChange.before`. */
async function sendChanges<Key extends ChosenKey>(
  connection: CommandConnection,
  keys: readonly Key[],
  change: KeyChange<Key>,
  before: Map<Key, number>,
): Promise<Outcome[]> {
  const groups = keys.map(key => {
    const question = change.before?.(key);
    return question === undefined ? [change.command(key)] : [question, change.command(key)];
  });
  const replies = (await connection.pipeline(groups.flat()))[Symbol.iterator]();
  return keys.map((key, i) => {
    const own = (groups[i] ?? []).map(() => replies.next().value);
    const [asked] = own;
    if (own.length > 1 && asked !== undefined && 'reply' in asked) before.set(key, integerOf(asked.reply));
    return own.at(-1) ?? { error: connectionLost('no reply') };
  });
}

export interface Problem {
  readonly code: string;
  readonly message: string;
}

const NOT_SENT: Problem = {
  code: 'CONNECTION_NOT_OPEN',
  message: 'The connection to the Redis server was lost before; this key is unchanged.',
};
const UNKNOWN: Problem = {
  code: 'CONNECTION_NOT_OPEN',
  message:
    'The connection to the Redis server was lost before its reply and not restored in time; whether this key was changed is unknown.',
};

/**
 * Changes those of the chosen keys for which `read` returns no problem; the others fail with it. `left` counts from the
 * first key that was not reached: keys after it have no outcome.
 */
export async function changeAdmitted<Chosen extends { readonly id: string }, Key extends ChosenKey>(
  context: BulkContext,
  chosen: readonly Chosen[],
  change: KeyChange<Key>,
  { read, isOver }: PartOptions & { read(one: Chosen): Key | Problem },
): Promise<BulkOutcome<Key>> {
  const keys: Key[] = [];
  const refused: { place: number; problem: BulkOutcome['failed'][number] }[] = [];
  const places: number[] = [];
  for (const [place, one] of chosen.entries()) {
    const found = read(one);
    if ('key' in found) {
      keys.push(found);
      places.push(place);
    } else refused.push({ place, problem: { _id: one.id, ...found } });
  }
  const { changed, failed, left, before } = await changeKeys(context, keys, change, { isOver });
  const reached = left === 0 ? chosen.length : (places[keys.length - left] ?? chosen.length);
  const reachedRefused = refused.filter(({ place }) => place < reached).map(({ problem }) => problem);
  return { changed, failed: [...reachedRefused, ...failed], left: chosen.length - reached, before };
}

/** Returns the problem of each key; null if it has the intended state. */
async function settle<Key extends ChosenKey>(
  context: BulkContext,
  open: ReadonlyMap<Key, Outcome>,
  change: KeyChange<Key>,
): Promise<[Key, Problem | null][]> {
  if (open.size === 0) return [];
  const { connection } = context;
  const refused = [...open].flatMap(([one, outcome]): [Key, Problem][] =>
    'error' in outcome && !isConnectionLost(outcome.error) ? [[one, problemOf(outcome.error)]] : [],
  );
  const asked = [...open.keys()].filter(one => !refused.some(([other]) => other === one));
  await becomesReady(context);
  const answers = await connection.pipeline(asked.map(key => change.question(key)));
  const settled = asked.map((one, i): [Key, Problem | null] => {
    const answer = answers[i];
    if (answer === undefined || 'error' in answer) return [one, UNKNOWN];
    const verdict = change.verdict(integerOf(answer.reply), one, 'reply' in (open.get(one) ?? {}));
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
