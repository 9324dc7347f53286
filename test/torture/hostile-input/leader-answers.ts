import { setImmediate } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { openEngine } from '../../../electron/engine/engine.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { type Leader, leaderOverContract } from '../../../electron/engine/replication/leader.ts';
import type { Client } from '../../../shared/contract/index.ts';
import { clientOf } from '../../support/client.ts';
import { NOON, SECOND } from '../../support/engine.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import type { Random } from '../../support/random.ts';
import { hostileValue } from './grammars/calls.ts';
import { mutated } from './grammars/text.ts';
import { problemOfSentence } from './judge.ts';

const DOCUMENTS = 20;
const COLLECTION = 'c';

/** Changes parts of an answer at any depth: values of other kinds, left out, added, repeated, or their text changed. */
function changed(random: Random, value: unknown, depth = 0): unknown {
  if (random.chance(depth === 0 ? 0.02 : 0.06)) return hostileValue(random);
  if (typeof value === 'string' && random.chance(0.15)) return mutated(random, value);
  if (typeof value === 'number' && random.chance(0.15))
    return random.pick([-1, 0, value + 1, value - 1, 1.5, 2 ** 53, 1e300, -value]);
  if (Array.isArray(value)) {
    const items = value.slice(0, 3).map(item => changed(random, item, depth + 1));
    return random.chance(0.1) ? [...items, ...items] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(() => !random.chance(0.03))
    .map(([name, inside]) => [name, changed(random, inside, depth + 1)]);
  if (random.chance(0.05)) entries.push(['constructor', hostileValue(random)]);
  return Object.fromEntries(entries);
}

/**
 * A follower with the whole engine, and its leader, another one, `count` of whose answers are changed on the way. The follower must
 * explain each refusal by a sentence of its own, keep its own marks, and equal the leader after honest answers. Returns the failures.
 */
export async function feedFollower(
  file: string,
  random: Random,
  count: number,
  add: (refused: boolean) => void,
): Promise<string[]> {
  const failures: string[] = [];
  const clock = createManualClock(NOON);
  const complaints: string[] = [];
  const common = {
    clock,
    log: createLogger('error', clock.now, line => complaints.push(line)),
    version: '0.0.0-test',
    callsWaiting: () => 0,
    reads: 'inline' as const,
  };
  const leading = openEngine({ ...common, storeFile: `${file}-leader` });
  const { client, close } = clientOf({
    engine: leading.engine,
    caller: { user: 'ada', permission: 'configure', from: 'machine' },
  });
  await fillLeader(client);
  const honest = leaderOverContract(client.replication);
  let answers = 0;
  // The types of the answers are what a follower must not trust.
  const hostile = <Answer>(answer: Answer): Answer => {
    if (answers >= count) return answer;
    answers += 1;
    return changed(random, answer) as Answer;
  };
  let callsOpen = 0;
  const during = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    callsOpen += 1;
    return call().finally(() => (callsOpen -= 1));
  };
  const leader: Leader = {
    register: (...args) =>
      during(async () => {
        const answer = await honest.register(...args);
        return random.chance(0.2) ? hostile(answer) : answer;
      }),
    snapshot: (...args) =>
      during(async () => {
        const answer = await honest.snapshot(...args);
        return random.chance(0.5) ? hostile(answer) : answer;
      }),
    log: (name, at, waitMs, signal) =>
      during(async () => {
        if (answers < count) await writeToLeader(client, random);
        return hostile(await honest.log(name, at, waitMs, signal));
      }),
  };
  // Waits pass by the clock, which nothing else moves; those between two copies grow.
  let turnsInCall = 0;
  const turn = async () => {
    for (let i = 0; i < 3; i++) {
      await setImmediate();
      if (callsOpen === 0) continue;
      turnsInCall += 1;
      // The call waits for a change.
      if (turnsInCall % 50 === 0) clock.advance(SECOND);
      return;
    }
    turnsInCall = 0;
    clock.advance(60 * SECOND);
  };
  const { engine, stop } = openEngine({
    ...common,
    storeFile: file,
    follow: { leader, url: 'http://leader/', syncTimeoutMs: 10 * SECOND },
  });
  try {
    const own = ownState(file);
    const status = () => engine.leaderStatus?.status;
    for (let turns = 1; answers < count; turns++) {
      const before = answers;
      await turn();
      const problem = status()?.problem ?? null;
      for (let i = before; i < answers; i++) add(problem !== null);
      const wrong = problem === null ? null : problemOfSentence(problem);
      if (wrong !== null) failures.push(`an answer of a leader: ${wrong}`);
      if (turns > count * 200) {
        failures.push(`the follower stopped asking after ${answers} answers: ${problem}`);
        break;
      }
    }
    await followsAgain(turn, status);
    const now = status();
    if (now?.problem !== null || now.staleSince !== null)
      failures.push(`an honest leader is not followed afterwards: ${now?.problem}`);
    else if (engine.leaderStatus?.isStale === false && documentsIn(file) !== documentsIn(`${file}-leader`))
      failures.push('the follower differs from an honest leader');
    if (ownState(file) !== own) failures.push('the follower’s own marks have changed');
    for (const line of complaints)
      if (/defect/.test(line)) failures.push(`in the log: ${line.slice(0, 400)}`);
  } finally {
    await stop();
    close();
    await leading.stop();
  }
  return [...new Set(failures)];
}

async function fillLeader(client: Client): Promise<void> {
  await client.collections.create({ name: COLLECTION });
  const source = { kind: 'field', field: 'at', expireAfter: 1e9 } as const;
  await client.ttlIndexes.create({ collection: COLLECTION, name: 'i', source });
  for (let i = 0; i < DOCUMENTS; i++)
    await client.documents.put({ params: { collection: COLLECTION, id: `d${i}` }, body: { at: 4e9, i } });
}

/** Every kind of change that a log has. */
async function writeToLeader(client: Client, random: Random): Promise<void> {
  const params = { collection: COLLECTION, id: `d${random.between(0, DOCUMENTS - 1)}` };
  await client.documents.put({ params, body: { at: 4e9, i: random.between(0, 1_000) } });
  if (random.chance(0.2))
    await client.documents.setExpiration({ params, body: { after: random.pick([1, 1_000_000]) } });
  if (random.chance(0.1)) await client.documents.delete(params);
}

function documentsIn(file: string): string {
  const db = new Sqlite(file, { readonly: true });
  try {
    return JSON.stringify(db.prepare('SELECT id, body FROM documents_1 ORDER BY id').all());
  } finally {
    db.close();
  }
}

/** Waits until the follower reports no problem, for a bounded number of turns. */
async function followsAgain(
  turn: () => Promise<void>,
  status: () => { problem: string | null; staleSince: number | null; behind: number } | undefined,
): Promise<void> {
  for (let i = 0; i < 5_000; i++) {
    await turn();
    const now = status();
    if (now?.problem === null && now.staleSince === null && now.behind === 0) return;
  }
}

function ownState(file: string): string {
  const db = new Sqlite(file, { readonly: true });
  try {
    return JSON.stringify([
      db.prepare(`SELECT name FROM sqlite_schema WHERE name NOT GLOB '*_[0-9]*' ORDER BY name`).all(),
      db.prepare(`SELECT * FROM meta WHERE key = 'storeId'`).all(),
      db.prepare('SELECT * FROM followers').all(),
      Object.keys(Object.prototype),
    ]);
  } finally {
    db.close();
  }
}
