import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { os } from '@orpc/server';
import { RPCHandler } from '@orpc/server/ws';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { openEngine } from '../../../../electron/engine/engine.ts';
import { createLogger } from '../../../../electron/engine/platform/logger.ts';
import { LeaderSocket } from '../../../../electron/engine/replication/leader-socket.ts';
import { REPLICATION_VERSIONS } from '../../../../shared/model/replication-protocol.ts';
import { NOON, openTestEngine, SECOND } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

const heartbeat = { leaderNow: NOON, revision: 5 };
const registration = { ...heartbeat, purge: null, storeId: 'a store', oldest: 6, ...REPLICATION_VERSIONS };
const document = {
  collection: 1,
  id: 'a',
  row: 1,
  updatedAt: NOON,
  explicitAt: null,
  explicitAfter: null,
  explicitAction: null,
  body: '{"_id":"a"}',
  quarantined: [],
};
const collection = { id: 1, name: 'c', created_at: NOON, paused: null, resumed_at: 0 };
const definitions = {
  meta: { paused: null, settings: '{}' },
  collections: [collection],
  indexes: [] as unknown[],
  holds: [] as unknown[],
};
const catalogOf = (content: unknown) => ({ version: 1, text: JSON.stringify(content) });
const page = { ...heartbeat, catalog: catalogOf(definitions), documents: [document], next: null };
const entry = {
  ...{ revision: 6, at: NOON, changes: [], catalog: null, put: [], removed: [], interval: null, expired: [] },
};
const index = {
  id: 1,
  collection: 1,
  name: 'i',
  definition: JSON.stringify({
    source: { kind: 'lastModified', expireAfter: 5 },
    onExpire: { action: 'delete' },
    schedule: { mode: 'exact' },
  }),
  built: null,
  acting: 1,
  dropped_at: null,
};

interface Answers {
  register: unknown;
  snapshot: unknown;
  /** Answer to every call but the first, whose answer is empty. */
  log: unknown;
}
const honest: Answers = {
  register: registration,
  snapshot: page,
  log: { ...heartbeat, purge: null, entries: [] },
};

/** Starts a server on the loopback with a leader's socket that sends `answers`. Returns its address. */
async function serve(answers: Answers): Promise<string> {
  const server = createServer();
  const sockets = new WebSocketServer({ server, path: '/rpc' });
  let asked = 0;
  const handler = new RPCHandler({
    replication: {
      register: os.handler(() => answers.register),
      snapshot: os.handler(() => answers.snapshot),
      log: os.handler(() => (asked++ === 0 ? { ...heartbeat, purge: null, entries: [] } : answers.log)),
    },
  });
  sockets.on('connection', socket => void handler.upgrade(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function openFollower(url: string) {
  const file = temporaryStoreFile();
  const clock = createManualClock(NOON);
  const leader = new LeaderSocket({ url, token: 'x' });
  const { engine, stop } = openEngine({
    storeFile: file,
    clock,
    log: createLogger('silent', clock.now),
    version: '0.0.0-test',
    callsWaiting: () => 0,
    reads: 'inline',
    follow: { leader, url, syncTimeoutMs: 10 * SECOND },
  });
  engine.backend.tokens.create({
    name: 'mine',
    permission: 'read',
    by: 'ada',
    sha256: 'ab',
    expiresAt: null,
  });
  onTestFinished(async () => {
    await stop();
    await leader.close();
  });
  return { file, engine };
}

/** Returns everything in the file except documents and definitions: tables, marks and tokens. */
function ownState({ file, engine }: Awaited<ReturnType<typeof openFollower>>) {
  const db = new Sqlite(file, { readonly: true });
  const state = {
    schema: db.prepare(`SELECT name FROM sqlite_schema WHERE name NOT GLOB '*_[0-9]*' ORDER BY name`).all(),
    meta: db
      .prepare(
        `SELECT * FROM meta WHERE key NOT IN ('replica', 'catalog', 'revision', 'oldest', 'nextSideTable', 'paused', 'settings')`,
      )
      .all(),
    followers: db.prepare('SELECT * FROM followers').all(),
    purges: db.prepare('SELECT * FROM purges').all(),
  };
  db.close();
  const tokens = engine.backend.tokens.list();
  return {
    ...state,
    tokens,
    folder: readdirSync(dirname(file)).sort(),
    prototype: Object.keys(Object.prototype),
  };
}

const inPage = (changes: Record<string, unknown>): Partial<Answers> => ({
  snapshot: { ...page, documents: [{ ...document, ...changes }] },
});
const inDefinitions = (changes: Record<string, unknown>): Partial<Answers> => ({
  snapshot: { ...page, catalog: catalogOf({ ...definitions, ...changes }) },
});
const inEntry = (changes: Record<string, unknown>): Partial<Answers> => ({
  log: { ...heartbeat, revision: 6, purge: null, entries: [{ ...entry, ...changes }] },
});

const interval = {
  ...{ collection: 1, source: 1, through: NOON, documents: 1, pass: 1 },
  checksum: '0'.repeat(64),
};

const HOSTILE: readonly [what: string, Partial<Answers>][] = [
  [
    'a column that is SQL',
    inDefinitions({ collections: [{ ...collection, 'explicit) SELECT 1, sha256, 1 FROM tokens --': 1 }] }),
  ],
  ['a column that is not replicated', inDefinitions({ collections: [{ ...collection, explicit: 7 }] })],
  ['an unknown column', inDefinitions({ indexes: [{ ...index, later: 1 }] })],
  ['a hold with a column that is SQL', inDefinitions({ holds: [{ id: 1, 'x = 1, cause': 1 }] })],
  ['a mark of the store itself', inDefinitions({ meta: { ...definitions.meta, storeId: 'mine now' } })],
  ['the mark of a mirror', inDefinitions({ meta: { replica: '{}' } })],
  ['a collection without a number', inDefinitions({ collections: [{ ...collection, id: -1 }] })],
  ['definitions that are not JSON', { snapshot: { ...page, catalog: { version: 1, text: '{' } } }],
  ['definitions of another shape', inDefinitions({ triggers: [] })],
  ['a row number below 1', inPage({ row: 0 })],
  ['a row number beyond safe integers', inPage({ row: 2 ** 60 })],
  ['a fractional row number', inPage({ row: 1.5 })],
  ['an invalid instant', inPage({ updatedAt: 1e300 })],
  ['an expiration before 1970', inPage({ explicitAt: -9e15 })],
  ['an invalid action', inPage({ explicitAt: NOON, explicitAction: '{"action":"run"}' })],
  ['an _id that is too long', inPage({ id: 'x'.repeat(600), body: `{"_id":"${'x'.repeat(600)}"}` })],
  ['a body that is not JSON', inPage({ body: '{"_id":"a"' })],
  ['a body that is not an object', inPage({ body: '["a"]' })],
  ['a body of another _id', inPage({ body: '{"_id":"b"}' })],
  ['a body nested too deep', inPage({ body: `{"_id":"a","d":${'['.repeat(600)}${']'.repeat(600)}}` })],
  ['a body that is too large', inPage({ body: `{"_id":"a","d":"${'x'.repeat(17_000_000)}"}` })],
  ['a rule without a number', inPage({ quarantined: [{ source: -1, reference: 1, since: 1, problem: '' }] })],
  ['a missing page', { snapshot: null }],
  ['a page that names itself as the next one', { snapshot: { ...page, next: '1.1.1' } }],
  ['a revision below 0', inEntry({ revision: -6 })],
  ['a change of an unknown kind', inEntry({ changes: [{ collection: 'c', kind: 'drop', id: 'a' }] })],
  ['an invalid document in the log', inEntry({ put: [{ ...document, body: 'null' }] })],
  [
    'definitions of the log with a mark of the store',
    inEntry({ catalog: catalogOf({ ...definitions, meta: { swept: 9 } }) }),
  ],
  ['an interval of no document', inEntry({ interval: { ...interval, documents: 0 } })],
  ['an interval of too many documents', inEntry({ interval: { ...interval, documents: 2 ** 52 } })],
  ['an interval through an invalid instant', inEntry({ interval: { ...interval, through: 1e300 } })],
  ['an interval before 1970', inEntry({ interval: { ...interval, through: -5 } })],
  ['an interval with another checksum', inEntry({ interval: { ...interval, checksum: `'; --` } })],
  ['an interval beside documents', inEntry({ interval, put: [document] })],
  ['an entry that does not state whether it is an interval', inEntry({ interval: undefined })],
  [
    'an expiry at an invalid instant',
    inEntry({
      expired: [
        {
          collection: 1,
          id: 'a',
          row: 1,
          source: 0,
          index: 'i',
          deadlineAt: 1e300,
          pass: 0,
          action: 'delete',
          gone: true,
        },
      ],
    }),
  ],
];

describe('a follower', () => {
  it('[V5] follows a leader with valid answers', async () => {
    const follower = await openFollower(
      await serve({ ...honest, log: { ...heartbeat, revision: 6, purge: null, entries: [entry] } }),
    );
    await expect.poll(() => follower.engine.backend.revision, { timeout: 10_000 }).toBe(6);
    expect(follower.engine.leaderStatus?.status).toMatchObject({ problem: null, failedReplay: null });
    expect(ownState(follower).tokens).toHaveLength(1);
  });

  it.each(HOSTILE)(
    '[V5] refuses %s of a hostile leader, and changes at most documents and definitions',
    async (_, answers) => {
      const follower = await openFollower(await serve({ ...honest, ...answers }));
      const before = ownState(follower);
      await expect
        .poll(() => follower.engine.leaderStatus?.status.problem, { timeout: 10_000 })
        .toMatch(/^The leader sent .*invalid.* It was not applied\.$/);
      expect(ownState(follower)).toEqual(before);
      expect(follower.engine.leaderStatus?.isStale === false && follower.engine.backend.revision > 5).toBe(
        false,
      );
    },
  );

  it.each([
    ['a newer', REPLICATION_VERSIONS.protocol + 1, 'follower'],
    ['an older', undefined, 'leader'],
  ])(
    '[V5] of a leader with %s protocol reports the side to update, before it copies any data',
    async (_, protocol, older) => {
      let wasAsked = false;
      const answers = {
        ...honest,
        register: { ...registration, protocol },
        get snapshot() {
          wasAsked = true;
          return page;
        },
      };
      const { engine } = await openFollower(await serve(answers));
      await expect
        .poll(() => engine.leaderStatus?.status.problem, { timeout: 10_000 })
        .toMatch(new RegExp(`replication protocol.*Update Sandglass on the ${older}\\.$`));
      expect(wasAsked).toBe(false);
    },
  );

  it('[V5] with another protocol is refused by its leader, which stores no registration', async () => {
    const { client } = openTestEngine();
    const other = { ...REPLICATION_VERSIONS, protocol: REPLICATION_VERSIONS.protocol + 1 };
    await expect(client.replication.register({ follower: 'x', ...other })).rejects.toMatchObject({
      code: 'INCOMPATIBLE',
      data: { leader: REPLICATION_VERSIONS.protocol, follower: other.protocol },
    });
    expect(await client.replication.followers()).toEqual([]);
  });
});
