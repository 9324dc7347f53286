import { call } from '@orpc/server';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { router } from '../../../../electron/engine/api/router.ts';
import type { Replica } from '../../../../electron/engine/backends/backend.ts';
import { openEmbeddedStore } from '../../../../electron/engine/backends/embedded/store.ts';
import type { ReplicaEntry } from '../../../../shared/contract/replication.ts';
import { REPLICATION_VERSIONS } from '../../../../shared/model/replication-protocol.ts';
import { NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';
import { StoreImage } from './store-image.ts';

const URL = 'http://leader.test/';

function openMirror(file = temporaryStoreFile()) {
  const store = openEmbeddedStore({ file, clock: createManualClock(NOON), reads: 'inline', leader: URL });
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= store.close();
    return closed;
  };
  onTestFinished(close);
  const { replica } = store;
  if (replica === null) throw new Error('a store that is opened with a leader is a mirror');
  const image = new StoreImage(file);
  onTestFinished(() => image.close());
  return { store, replica, image, file, close };
}

function imageOf({ file }: TestEngine): { revision: number; image: string } {
  const image = new StoreImage(file);
  const read = image.read();
  image.close();
  return read;
}

function storedProgress(file: string): unknown {
  const db = new Sqlite(file, { readonly: true });
  const text = db.prepare<[], string>("SELECT value FROM meta WHERE key = 'replica'").pluck().get();
  db.close();
  return JSON.parse(text ?? 'null').progress;
}

/** Copies the leader's whole snapshot into the mirror, with `limit` documents per page. */
async function copy(
  leader: TestEngine,
  replica: Replica,
  between: (page: number) => Promise<void> = async () => {},
) {
  const { replication } = leader.client;
  const { storeId } = await replication.register({ follower: replica.name, ...REPLICATION_VERSIONS });
  let after: string | null = null;
  let page = 0;
  do {
    const answer = await replication.snapshot({ follower: replica.name, after, limit: 2 });
    replica.applyPage({ ...answer, storeId });
    after = answer.next;
    await between(page++);
  } while (after !== null);
}

async function entriesAfter(leader: TestEngine, revision: number): Promise<ReplicaEntry[]> {
  const { entries } = await leader.client.replication.log({
    follower: await nameOf(leader),
    after: revision,
  });
  return entries;
}
const nameOf = async ({ client }: TestEngine) => (await client.replication.followers())[0]?.name ?? '';

/** A collection of documents, some of which expire by its index. */
async function openLeader(): Promise<TestEngine> {
  const leader = openTestEngine();
  await leader.client.collections.create({ name: 'c' });
  await leader.client.ttlIndexes.create({
    collection: 'c',
    name: 'by date',
    source: { kind: 'field', field: 'expires', expireAfter: 0 },
  });
  await leader.settle();
  await write(leader, ['a', 'b', 'd', 'e', 'f']);
  return leader;
}

function write({ client, clock }: TestEngine, ids: readonly string[], afterMs = 60 * SECOND) {
  const expires = new Date(clock.now() + afterMs).toISOString();
  return client.documents.write({
    params: { collection: 'c' },
    query: { mode: 'upsert' },
    body: ids.map(_id => ({ _id, expires })),
  });
}

describe('a mirror', () => {
  it('[V5] equals its leader byte for byte after a snapshot with pages of several revisions, and the log', async () => {
    const leader = await openLeader();
    const { store, replica, image } = openMirror();
    await copy(leader, replica, async page => {
      // Copied documents are changed, deleted and restored, and so are documents of later pages.
      await leader.client.documents.delete({ collection: 'c', id: ['a', 'f', 'e'][page] ?? 'new 0' });
      await write(leader, ['a', `new ${page}`]);
      await leader.client.ttlIndexes.update({ collection: 'c', index: 'by date', expireAfter: page });
    });
    for (const entry of await entriesAfter(leader, store.revision)) replica.apply(entry);
    expect(image.read()).toEqual(imageOf(leader));
  });

  it('[V5] applies each revision once, and detects a missing one before any change', async () => {
    const leader = await openLeader();
    const { store, replica, image } = openMirror();
    await copy(leader, replica);
    await write(leader, ['a']);
    await leader.client.documents.delete({ collection: 'c', id: 'b' });
    await leader.advance(61 * SECOND);
    const [first, ...rest] = await entriesAfter(leader, store.revision);
    if (first === undefined) throw new Error('three changes are three revisions');
    const before = image.read();
    for (const later of rest) expect(() => replica.apply(later)).toThrow(/is missing before/);
    expect(image.read()).toEqual(before);
    for (const entry of [first, ...rest, first, ...rest]) replica.apply(entry);
    expect(image.read()).toEqual(imageOf(leader));
    while (replica.sweep(1_000));
    expect(store.unswept()).toBe(0);
    expect(image.read()).toEqual(imageOf(leader));
  });

  it('[V5] continues after a stop at any step, and refuses the next page of a snapshot it has not begun', async () => {
    const leader = await openLeader();
    let mirror = openMirror();
    const { storeId } = await leader.client.replication.register({
      follower: mirror.replica.name,
      ...REPLICATION_VERSIONS,
    });
    let after: string | null = null;
    do {
      const answer = await leader.client.replication.snapshot({
        follower: mirror.replica.name,
        after,
        limit: 2,
      });
      mirror.replica.applyPage({ ...answer, storeId });
      await mirror.close();
      mirror = openMirror(mirror.file);
      const { progress } = mirror.replica;
      after = progress.phase === 'copying' ? progress.after : null;
      expect(after).toBe(answer.next);
    } while (after !== null);
    const { progress } = mirror.replica;
    expect(progress).toMatchObject({ phase: 'replaying', storeId, consistentFrom: mirror.store.revision });
    // The file has the name of the phase that other versions of Sandglass read.
    expect(storedProgress(mirror.file)).toEqual({
      phase: 'replaying',
      storeId,
      wholeAt: mirror.store.revision,
    });
    expect(mirror.image.read()).toEqual(imageOf(leader));
    const page = { storeId, revision: 1, catalog: null, documents: [], next: null };
    expect(() => openMirror().replica.applyPage(page)).toThrow(/an earlier page is missing/);
  });

  it('[V5] accepts only its leader’s changes, as the engine itself checks', async () => {
    const leader = await openLeader();
    const { store, replica, image } = openMirror();
    await copy(leader, replica);
    const before = image.read();
    const refused = { code: 'READ_ONLY', data: { leader: URL } };
    expect(() => store.put('c', 'own', {})).toThrow(expect.objectContaining(refused));
    expect(() => store.createCollection('own')).toThrow(expect.objectContaining(refused));
    expect(() => store.setPause({}, { by: 'ada', since: NOON }, 'ada')).toThrow(
      expect.objectContaining(refused),
    );
    expect(image.read()).toEqual(before);
  });

  it('builds an index at the same time as its leader, and both use it from the same revision on', async () => {
    const leader = await openLeader();
    const { store, replica, image } = openMirror();
    await copy(leader, replica);
    await leader.client.ttlIndexes.create({
      collection: 'c',
      name: 'by write',
      source: { kind: 'lastModified', expireAfter: 5 },
    });
    await leader.settle();
    const [defined, ...rest] = await entriesAfter(leader, store.revision);
    if (defined === undefined) throw new Error('a new index is a revision');
    replica.apply(defined);
    expect(replica.build(1_000)).toBe(false);
    const reads = () => store.reads.indexes('c', NOON);
    expect(await reads()).toMatchObject([{ state: 'ready' }, { state: 'building', documents: 5 }]);
    for (const entry of rest) {
      expect(replica.prepare(entry, 1_000)).toBe(false);
      replica.apply(entry);
    }
    while (replica.build(1_000));
    expect(await reads()).toMatchObject([{ state: 'ready' }, { state: 'ready', documents: 5 }]);
    expect(image.read()).toEqual(imageOf(leader));
  });

  it('cannot be a leader of others', async () => {
    const leader = await openLeader();
    const { engine } = leader;
    const leaderStatus = {
      status: { url: URL, staleSince: null, behind: 0, problem: null, failedReplay: null },
      isStale: false,
      onStale: () => () => {},
    };
    const context = {
      engine: { ...engine, leaderStatus },
      caller: { user: 'ada', permission: 'configure' as const, from: 'machine' as const },
    };
    await expect(call(router.replication.register, { follower: 'x' }, { context })).rejects.toMatchObject({
      code: 'READ_ONLY',
      data: { leader: URL },
    });
  });
});
