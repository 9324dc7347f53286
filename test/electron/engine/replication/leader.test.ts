import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { ReplicaDocument, ReplicaEntry } from '../../../../shared/contract/replication.ts';
import { REPLICATION_VERSIONS } from '../../../../shared/model/replication-protocol.ts';
import { on, refusal, write } from '../../../support/documents.ts';
import { EACH_REMOVAL } from '../../../support/each-removal.ts';
import { HOUR, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { readLog } from '../../../support/watching.ts';

const FOLLOWER = 'mirror';

async function leader() {
  const test = openTestEngine();
  await test.client.collections.create({ name: 'c' });
  await test.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
  await test.settle();
  return test;
}

/** Documents kept by replaying a log, without a store. */
class NaiveMirror {
  readonly documents = new Map<string, ReplicaDocument>();
  revision = 0;

  copy(documents: readonly ReplicaDocument[]): void {
    for (const document of documents) this.documents.set(keyOf(document), document);
  }
  replay({ revision, expired, removed, put }: ReplicaEntry): void {
    for (const { collection, id, row, gone } of expired) {
      const key = keyOf({ collection, id });
      if (gone && this.documents.get(key)?.row === row) this.documents.delete(key);
    }
    for (const gone of removed) this.documents.delete(keyOf(gone));
    this.copy(put);
    this.revision = revision;
  }
  /** Returns the documents by collection, in a stable order, without dropped collections. */
  in(collections: readonly number[]): ReplicaDocument[] {
    return [...this.documents.values()]
      .filter(({ collection }) => collections.includes(collection))
      .sort((a, b) => a.collection - b.collection || a.row - b.row);
  }
}

function keyOf({ collection, id }: { collection: number; id: string }): string {
  return `${collection}/${id}`;
}

/** Returns every document that is not removed, read from the file by SQL. */
function stored(file: string): { collections: number[]; documents: Omit<ReplicaDocument, 'quarantined'>[] } {
  const db = new Sqlite(file, { readonly: true });
  const collections = db.prepare<[], number>('SELECT id FROM collections ORDER BY id').pluck().all();
  const documents = collections.flatMap(id =>
    db
      .prepare<[], Omit<ReplicaDocument, 'quarantined'>>(
        `SELECT ${id} AS collection, id, row, updated_at AS updatedAt, explicit_at AS explicitAt,
                explicit_after AS explicitAfter, explicit_action AS explicitAction, body
         FROM documents_${id} WHERE row NOT IN
           (SELECT row FROM ${EACH_REMOVAL} WHERE gone = 1 AND collection = ${id}
              AND seq > (SELECT value FROM meta WHERE key = 'swept'))
         ORDER BY row`,
      )
      .all(),
  );
  db.close();
  return { collections, documents };
}

function count(file: string, table: string): number {
  const db = new Sqlite(file, { readonly: true });
  const rows = db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
  db.close();
  return rows;
}

async function copyAll({ client }: TestEngine, mirror: NaiveMirror, limit: number, between = async () => {}) {
  let after: string | null = null;
  let first: number | null = null;
  do {
    const page: Awaited<ReturnType<typeof client.replication.snapshot>> = await client.replication.snapshot({
      follower: FOLLOWER,
      after,
      limit,
    });
    expect(page.catalog === null).toBe(after !== null);
    mirror.copy(page.documents);
    first ??= page.revision;
    after = page.next;
    await between();
  } while (after !== null);
  mirror.revision = first;
}

async function follow({ client }: TestEngine, mirror: NaiveMirror, limit = 3): Promise<ReplicaEntry[]> {
  const all: ReplicaEntry[] = [];
  for (;;) {
    const { entries } = await client.replication.log({ follower: FOLLOWER, after: mirror.revision, limit });
    if (entries.length === 0) return all;
    for (const entry of entries) {
      expect(entry.revision).toBe(mirror.revision + 1);
      mirror.replay(entry);
    }
    all.push(...entries);
  }
}

describe('a leader', () => {
  it('[V5] sends a snapshot instead of a revision too large for one message, and then the next ones', async () => {
    const { client, file, engine } = await leader();
    await client.replication.register({ follower: FOLLOWER, ...REPLICATION_VERSIONS });
    await write(client, 'c', [{ _id: 'before' }]);
    const { revision } = engine.backend;
    const large = Array.from({ length: 5 }, (_, i) => ({ _id: `large ${i}`, text: 'x'.repeat(15_000_000) }));
    await write(client, 'c', large, { atomic: true });
    expect(count(file, 'document_images')).toBe(1);
    const answer = client.replication.log({ follower: FOLLOWER, after: revision, limit: 10 });
    expect(await refusal(answer)).toMatchObject({
      code: 'REVISION_COMPACTED',
      data: { oldest: revision + 2 },
    });
    await write(client, 'c', [{ _id: 'after' }]);
    const { entries } = await client.replication.log({
      follower: FOLLOWER,
      after: revision + 1,
      limit: 10,
    });
    expect(entries.map(({ put }) => put.map(({ id }) => id))).toEqual([['after']]);
  });

  it('[V3, V5] keeps images only while a follower is registered', async () => {
    const { client, file, engine, advance } = await leader();
    await write(client, 'c', [{ _id: 'before' }]);
    expect([count(file, 'log_images'), count(file, 'document_images')]).toEqual([0, 0]);
    const { revision, oldest, leaderNow } = await client.replication.register({
      follower: FOLLOWER,
      ...REPLICATION_VERSIONS,
    });
    expect({ revision, oldest, leaderNow }).toEqual({
      revision: engine.backend.revision,
      oldest: engine.backend.revision + 1,
      leaderNow: NOON,
    });
    await write(client, 'c', [{ _id: 'a' }, { _id: 'b' }]);
    expect([count(file, 'log_images'), count(file, 'document_images')]).toEqual([1, 2]);
    await client.replication.forget({ follower: FOLLOWER });
    await advance(HOUR);
    await write(client, 'c', [{ _id: 'after' }]);
    expect([count(file, 'log_images'), count(file, 'document_images')]).toEqual([0, 0]);
    const unknown = await refusal(client.replication.log({ follower: FOLLOWER, after: oldest }));
    expect(unknown).toMatchObject({ code: 'BAD_REQUEST', data: { follower: FOLLOWER } });
  });

  it('[V5] sends a revision as a watch does, with changed documents, and the definitions if one changed', async () => {
    const test = await leader();
    const { client, advance, clock } = test;
    const { revision } = await client.replication.register({
      follower: FOLLOWER,
      ...REPLICATION_VERSIONS,
    });
    const mirror = new NaiveMirror();
    mirror.revision = revision;
    await write(client, 'c', [
      { _id: 'a', exp: NOON + SECOND },
      { _id: 'b', n: 1 },
    ]);
    await write(client, 'c', [{ _id: 'b', n: 2 }], { mode: 'upsert' });
    await client.documents.setExpiration({ params: { collection: 'c', id: 'b' }, body: { never: true } });
    await advance(SECOND);
    await client.documents.delete({ collection: 'c', id: 'b' });
    await client.collections.create({ name: 'd' });
    await client.reaper.pause({});
    await write(client, 'c', [{ _id: 'x', exp: clock.now() + SECOND }]);
    clock.advance(MINUTE);
    await write(client, 'c', [{ _id: 'x' }]);
    const entries = await follow(test, mirror);
    expect(
      entries.map(({ put, removed, expired, catalog }) => ({
        put: put.map(({ id, body, explicitAt }) => [id, JSON.parse(body).n, explicitAt]),
        removed: removed.map(({ id }) => id),
        expired: expired.map(({ id, index, gone }) => [id, index, gone]),
        catalog: catalog !== null,
      })),
    ).toEqual([
      {
        put: [
          ['a', undefined, null],
          ['b', 1, null],
        ],
        removed: [],
        expired: [],
        catalog: false,
      },
      { put: [['b', 2, null]], removed: [], expired: [], catalog: false },
      { put: [['b', 2, -1]], removed: [], expired: [], catalog: false },
      { put: [], removed: [], expired: [['a', 'exp', true]], catalog: false },
      { put: [], removed: ['b'], expired: [], catalog: false },
      { put: [], removed: [], expired: [], catalog: true },
      { put: [], removed: [], expired: [], catalog: true },
      { put: [['x', undefined, null]], removed: [], expired: [], catalog: false },
      { put: [['x', undefined, null]], removed: [], expired: [['x', 'exp', true]], catalog: false },
    ]);
    const events = await readLog(client, String(revision + 1));
    expect(entries.flatMap(({ changes }) => changes)).toEqual(
      events.flatMap(({ event }) =>
        event.kind === 'end' ? [] : [{ collection: event.collection, kind: event.kind, id: event._id }],
      ),
    );
  });

  it('[V5] sends a snapshot in pages and the log since its first page, which together equal the store', async () => {
    const test = await leader();
    const { client, engine, file, clock } = test;
    await client.collections.create({ name: 'd' });
    for (const collection of ['c', 'd'])
      await write(
        client,
        collection,
        Array.from({ length: 25 }, (_, i) => ({ _id: `${i}`, n: 0 })),
      );
    await client.replication.register({ follower: FOLLOWER, ...REPLICATION_VERSIONS });
    const mirror = new NaiveMirror();
    let n = 0;
    await copyAll(test, mirror, 7, async () => {
      n += 1;
      clock.advance(SECOND);
      engine.backend.delete('c', [`${n}`]);
      await write(
        client,
        'c',
        [
          { _id: `${n}`, n },
          { _id: `${20 + n}`, n },
        ],
        { mode: 'upsert' },
      );
      engine.backend.delete('d', [`${24 - n}`]);
      if (n === 2) await client.collections.create({ name: 'b' });
      if (n > 2) await write(client, 'b', [{ _id: `${n}` }]);
    });
    expect(n).toBeGreaterThanOrEqual(7);
    await follow(test, mirror);
    const { collections, documents } = stored(file);
    expect(mirror.in(collections)).toEqual(documents.map(document => ({ ...document, quarantined: [] })));
  });

  it('[V5, C4] sends a snapshot without tombstones', async () => {
    const { client, clock, engine } = await leader();
    await write(client, 'c', [{ _id: 'x', exp: NOON + SECOND, n: 1 }, { _id: 'y' }]);
    await client.reaper.pause({});
    clock.advance(MINUTE);
    engine.backend.put('c', 'x', { _id: 'x', n: 2 });
    const page = await engine.backend.reads.replicaSnapshot(null, 100);
    expect(engine.backend.unswept()).toBe(1);
    expect(page.documents.map(({ body }) => JSON.parse(body))).toEqual([{ _id: 'y' }, { _id: 'x', n: 2 }]);
  });

  it('[V5] waits for the next revision for the requested time, and sends its time in every answer', async () => {
    const { client, clock } = await leader();
    const { revision } = await client.replication.register({
      follower: FOLLOWER,
      ...REPLICATION_VERSIONS,
    });
    const waiting = client.replication.log({ follower: FOLLOWER, after: revision, waitMs: 20_000 });
    await client.store.info();
    clock.advance(5 * SECOND);
    await write(client, 'c', [{ _id: 'a' }]);
    expect(await waiting).toMatchObject({
      leaderNow: NOON + 5 * SECOND,
      revision: revision + 1,
      entries: [{ revision: revision + 1, at: NOON + 5 * SECOND }],
    });
    const silent = client.replication.log({ follower: FOLLOWER, after: revision + 1, waitMs: 20_000 });
    await client.store.info();
    clock.advance(20 * SECOND);
    expect(await silent).toEqual({
      purge: null,
      leaderNow: NOON + 25 * SECOND,
      revision: revision + 1,
      ticks: [],
      entries: [],
    });
  });

  it('[V5] deletes images that every follower has, and for followers without contact those older than the log', async () => {
    const { client, file, advance, reopen } = await leader();
    const { revision } = await client.replication.register({
      follower: 'fast',
      ...REPLICATION_VERSIONS,
    });
    await client.replication.register({ follower: 'slow', ...REPLICATION_VERSIONS });
    await write(client, 'c', [{ _id: 'a' }]);
    await write(client, 'c', [{ _id: 'b' }]);
    await client.replication.log({ follower: 'fast', after: revision + 2 });
    await advance(HOUR);
    expect(count(file, 'log_images')).toBe(2);
    expect(await client.replication.followers()).toEqual([
      { name: 'fast', revision: revision + 2, seenAt: NOON, behind: 0 },
      { name: 'slow', revision, seenAt: NOON, behind: 2 },
    ]);
    await client.replication.log({ follower: 'slow', after: revision + 1 });
    await advance(HOUR);
    expect(count(file, 'log_images')).toBe(1);
    expect(await refusal(client.replication.log({ follower: 'slow', after: revision }))).toMatchObject({
      code: 'REVISION_COMPACTED',
      data: { oldest: revision + 2 },
    });
    const { client: again, advance: advanceAgain } = await reopen();
    expect((await again.replication.followers()).map(({ name }) => name)).toEqual(['fast', 'slow']);
    await advanceAgain(3 * HOUR);
    await again.replication.log({ follower: 'fast', after: revision + 2 });
    await advanceAgain(22 * HOUR);
    // The sweep yields to calls between two steps.
    await vi.waitFor(async () =>
      expect((await again.replication.followers()).map(({ name }) => name)).toEqual(['fast']),
    );
    await advanceAgain(3 * HOUR);
    await vi.waitFor(async () => expect(await again.replication.followers()).toEqual([]));
    expect([count(file, 'log_images'), count(file, 'document_images')]).toEqual([0, 0]);
  });

  it('[V5] keeps the images that are written after a restart until every follower has them', async () => {
    const test = await leader();
    const { revision } = await test.client.replication.register({
      follower: FOLLOWER,
      ...REPLICATION_VERSIONS,
    });
    await write(
      test.client,
      'c',
      ['a', 'b', 'd'].map(_id => ({ _id, exp: NOON + SECOND })),
    );
    await test.client.replication.log({ follower: FOLLOWER, after: revision + 1 });
    await test.advance(SECOND);
    // All images are deleted; the remaining revision has expiries and no image.
    await test.advance(HOUR);
    expect([count(test.file, 'log_images'), count(test.file, 'document_images')]).toEqual([1, 0]);
    const { client, file, advance } = await test.reopen();
    await write(client, 'c', [{ _id: 'x' }, { _id: 'y' }, { _id: 'z' }]);
    await client.replication.log({ follower: FOLLOWER, after: revision + 2 });
    await advance(HOUR);
    expect([count(file, 'log_images'), count(file, 'document_images')]).toEqual([1, 3]);
    const { entries } = await client.replication.log({ follower: FOLLOWER, after: revision + 2 });
    expect(entries.map(({ put }) => put.map(({ id }) => id))).toEqual([['x', 'y', 'z']]);
  });

  it('[V5] deletes images beyond the log’s size, and a follower that had not read them copies the store again', async () => {
    const { client, file, advance } = await leader();
    await client.settings.update({ logBytes: 1024 * 1024 });
    const { revision } = await client.replication.register({
      follower: FOLLOWER,
      ...REPLICATION_VERSIONS,
    });
    for (let i = 0; i < 30; i++) await write(client, 'c', [{ _id: `${i}`, text: 'x'.repeat(100_000) }]);
    await advance(HOUR);
    expect(count(file, 'log_images')).toBe(11);
    expect((await refusal(client.replication.log({ follower: FOLLOWER, after: revision }))).code).toBe(
      'REVISION_COMPACTED',
    );
    const mirror = new NaiveMirror();
    mirror.revision = revision + 19;
    await client.replication.log({ follower: FOLLOWER, after: revision + 19 });
  });

  it('[V5, X4] requires a new copy after a collection was restored, whose documents are in no entry', async () => {
    const test = await leader();
    const { client, file } = test;
    await write(client, 'c', [{ _id: 'a' }]);
    const { revision } = await client.replication.register({
      follower: FOLLOWER,
      ...REPLICATION_VERSIONS,
    });
    await client.collections.drop({ collection: 'c' });
    const [dropped] = await client.collections.dropped();
    await client.collections.restore({ id: dropped?.id ?? 0 });
    expect((await refusal(client.replication.log({ follower: FOLLOWER, after: revision }))).code).toBe(
      'REVISION_COMPACTED',
    );
    const mirror = new NaiveMirror();
    await copyAll(test, mirror, 10);
    await follow(test, mirror);
    const { collections, documents } = stored(file);
    expect(documents).toHaveLength(1);
    expect(mirror.in(collections)).toMatchObject(documents);
  });

  it('[V5, B1] and its backup are different stores: a follower of one refuses the other', async () => {
    const test = await leader();
    const { client, file } = test;
    const { storeId } = await client.replication.register({
      follower: FOLLOWER,
      ...REPLICATION_VERSIONS,
    });
    const backup = `${file}.backup`;
    const { id } = await client.store.backup({ file: backup });
    await vi.waitFor(
      async () => expect(await client.jobs.get({ job: id })).toMatchObject({ state: 'done' }),
      15_000,
    );
    expect((await client.replication.register({ follower: FOLLOWER, ...REPLICATION_VERSIONS })).storeId).toBe(
      storeId,
    );
    const { client: restored } = openTestEngine({ file: backup });
    expect(await restored.replication.followers()).toEqual([]);
    expect(
      (await restored.replication.register({ follower: FOLLOWER, ...REPLICATION_VERSIONS })).storeId,
    ).not.toBe(storeId);
  });

  it('[V5] refuses a follower that is ahead of it, and so follows another store', async () => {
    const { client, engine } = await leader();
    await client.replication.register({ follower: FOLLOWER, ...REPLICATION_VERSIONS });
    const ahead = engine.backend.revision + 1;
    expect((await refusal(client.replication.log({ follower: FOLLOWER, after: ahead }))).code).toBe(
      'REVISION_COMPACTED',
    );
  });
});

const ids = fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 5 });
const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      collection: fc.constantFrom('c', 'patched', 'replaced', 'moved'),
      ids,
      after: fc.constantFrom(1, 5, 60, 100_000),
      kind: fc.constantFrom('plain', 'stuck', 'delete'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), ids }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      collection: fc.constantFrom('c', 'patched'),
      id: fc.integer({ min: 0, max: 7 }),
      after: fc.constantFrom(1, 30),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.constantFrom(0, 1_000, 7_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const), paused: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const) }) },
);

/** One collection for each action; the action on a document of kind `stuck` fails [A5]. */
async function define({ client, settle }: TestEngine): Promise<void> {
  for (const name of ['archive', 'c', 'patched', 'replaced', 'moved'])
    await client.collections.create({ name });
  const source = on('exp');
  await client.ttlIndexes.create({ collection: 'c', name: 'exp', source });
  await client.ttlIndexes.create({
    collection: 'patched',
    name: 'exp',
    source,
    onExpire: { action: 'patch', patch: { exp: null, was: true } },
  });
  await client.ttlIndexes.create({
    collection: 'replaced',
    name: 'exp',
    source,
    onExpire: {
      action: 'replace',
      expression: 'doc.kind == "delete" ? null : (doc.kind == "stuck" ? doc : without(doc, "exp"))',
    },
  });
  await client.ttlIndexes.create({
    collection: 'moved',
    name: 'exp',
    source,
    onExpire: { action: 'move', to: 'archive' },
  });
  await settle();
}

async function perform(
  test: TestEngine,
  op: typeof operation extends fc.Arbitrary<infer Operation> ? Operation : never,
): Promise<TestEngine> {
  const { client, engine, clock, advance } = test;
  if (op.do === 'write') {
    const exp = clock.now() + op.after * SECOND;
    const documents = op.ids.map(id => ({ _id: `${id}`, exp, kind: op.kind }));
    await write(client, op.collection, documents, { mode: 'upsert' });
  } else if (op.do === 'delete') engine.backend.delete('c', op.ids.map(String));
  else if (op.do === 'set') engine.backend.setExpiration(op.collection, [String(op.id)], { after: op.after });
  else if (op.do === 'advance') {
    if (op.ms === 0) clock.advance(10_000);
    await advance(op.ms);
  } else if (op.do === 'pause') await client.reaper[op.paused ? 'pause' : 'resume']({});
  else if (op.do === 'reopen') return test.reopen();
  else {
    await client.collections.drop({ collection: 'c' });
    await client.collections.create({ name: 'c' });
    await client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
    await test.settle();
  }
  return test;
}

describe('entries', () => {
  it('[V5] replayed without rules of expiry are the leader’s documents, at every revision compared', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 25 }), async operations => {
        let test = openTestEngine();
        await define(test);
        const { revision } = await test.client.replication.register({
          follower: FOLLOWER,
          ...REPLICATION_VERSIONS,
        });
        const mirror = new NaiveMirror();
        mirror.revision = revision;
        for (const op of operations) {
          test = await perform(test, op);
          await follow(test, mirror);
          const { collections, documents } = stored(test.file);
          expect(mirror.in(collections).map(({ quarantined: _, ...document }) => document)).toEqual(
            documents,
          );
        }
        const listed = await test.client.documents.list({
          collection: 'replaced',
          state: 'quarantined',
          includeExpired: true,
        });
        const stuck = [...mirror.documents.values()].filter(({ quarantined }) => quarantined.length > 0);
        expect(stuck.map(({ id }) => id).sort()).toEqual(
          expect.arrayContaining(listed.documents.map(({ _id }) => _id).sort()),
        );
        await test.stop();
      }),
      { numRuns: Number(process.env.SANDGLASS_RUNS ?? 8) },
    );
  }, 120_000);
});
