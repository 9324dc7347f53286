import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { putReply } from '../../../../../electron/engine/backends/etcd/connection/replies.ts';
import { type EtcdBackend, openEtcd } from '../../../../../electron/engine/backends/etcd/etcd-backend.ts';
import { revokeLease } from '../../../../../electron/engine/backends/etcd/leases/lease-calls.ts';
import { probeEtcd } from '../../../../../electron/engine/backends/etcd/probe.ts';
import { MeterRegistry } from '../../../../../electron/engine/expiry/meters.ts';
import { systemClock } from '../../../../../electron/engine/platform/clock.ts';
import { openTestEtcd, silentLog } from '../../../../support/etcd-client.ts';
import { NEEDS_ETCD, startEtcd } from '../../../../support/etcd-server.ts';
import { runsHere } from '../../../../support/runs-here.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';

/** Steps that take milliseconds take seconds on a loaded machine. */
const SOON = { timeout: 30_000, interval: 50 };

async function open(uri: string, options: { readOnly?: boolean } = {}): Promise<EtcdBackend> {
  const backend = await openEtcd({
    uri,
    mirrorFile: join(temporaryFolder(), 'mirror.sqlite'),
    clock: systemClock,
    log: silentLog,
    meters: new MeterRegistry(),
    readOnly: options.readOnly ?? false,
  });
  onTestFinished(() => backend.close());
  return backend;
}

const live = (backend: EtcdBackend) => vi.waitFor(() => expect(backend.remote.mirror?.is).toBe('live'), SOON);

const left = async (backend: EtcdBackend) =>
  (await backend.reads.expired({ limit: 100 }, Date.now())).expired;

describe.runIf(runsHere('etcd as a store', NEEDS_ETCD))('a cluster of etcd', { timeout: 90_000 }, () => {
  it('is shown by prefixes, with the deadline of each key from its lease, ± 1 s', async () => {
    const server = await startEtcd();
    const etcd = openTestEtcd(server.uri);
    const lease = await etcd.grant(600);
    const grantedAt = Date.now();
    await etcd.put('/app/sessions/a', '{"user":1}', lease);
    await etcd.put('/app/sessions/b', 'text', lease);
    await etcd.put('/app/settings/c', 'kept');
    const backend = await open(server.uri);
    await live(backend);
    expect(backend.collectionNames().sort()).toEqual(['/app/sessions', '/app/settings']);
    expect(backend.mirror.settings).toMatchObject({ mostKeys: null, grouping: null });
    expect(() => backend.mirror.change({ mostKeys: 2_000 })).toThrow(/No sample/);
    const [sessions, settings] = await backend.reads.summaries(null, Date.now());
    expect(sessions).toMatchObject({ name: '/app/sessions', documents: 2, withDeadline: 2 });
    expect(settings).toMatchObject({ name: '/app/settings', documents: 1, withDeadline: 0 });
    const record = await backend.reads.document(
      { collection: '/app/sessions', id: '/app/sessions/a', includeExpired: false },
      Date.now(),
    );
    expect(record.document).toMatchObject({ value: { user: 1 }, modRevision: 2 });
    expect(Math.abs((record.deadlineAt ?? 0) - (grantedAt + 600_000))).toBeLessThan(3_000);
  });

  it('follows puts, deletions and revoked leases, and derives expiries', async () => {
    const server = await startEtcd();
    const etcd = openTestEtcd(server.uri);
    const backend = await open(server.uri);
    await live(backend);
    const [short, long] = [await etcd.grant(3), await etcd.grant(600)];
    await etcd.put('jobs/expires', '1', short);
    await etcd.put('jobs/revoked', '1', long);
    await etcd.put('jobs/deleted', '1');
    await vi.waitFor(() => expect(backend.hasCollection('jobs')).toBe(true), SOON);
    await etcd.delete('jobs/deleted');
    await revokeLease(etcd.client, long);
    await vi.waitFor(async () => expect(await left(backend)).toHaveLength(3), SOON);
    const causes = Object.fromEntries((await left(backend)).map(({ _id, cause }) => [_id, cause]));
    expect(causes).toEqual({
      'jobs/expires': 'expired',
      'jobs/revoked': 'deleted',
      'jobs/deleted': 'deleted',
    });
    expect(backend.collectionNames()).toEqual([]);
  });

  it('moves the deadlines of all keys of a lease that is kept alive, and reports their number', async () => {
    const server = await startEtcd();
    const etcd = openTestEtcd(server.uri);
    const lease = await etcd.grant(20);
    await etcd.put('jobs/a', '1', lease);
    await etcd.put('jobs/b', '1', lease);
    const backend = await open(server.uri);
    await live(backend);
    const deadline = async () =>
      (await backend.reads.document({ collection: 'jobs', id: 'jobs/b', includeExpired: true }, Date.now()))
        .deadlineAt ?? 0;
    const before = await deadline();
    await systemClock.sleep(3_000);
    await etcd.put('elsewhere/c', '1', lease);
    const found = await backend.leases.ofKey('jobs', 'jobs/a');
    expect(found).toMatchObject({
      id: BigInt(lease).toString(16),
      grantedSeconds: 20,
      keyCount: 3,
      keys: expect.arrayContaining(['jobs/a', 'jobs/b', 'elsewhere/c']),
    });
    const id = found?.id ?? '';
    await expect(backend.leases.keepAlive({ id, keyCount: 2 })).rejects.toMatchObject({
      code: 'EXPECTATION_FAILED',
      data: { keyCount: 3 },
    });
    expect(await deadline()).toBeLessThan(before + 1_000);
    expect(await backend.leases.keepAlive({ id, keyCount: 3 })).toMatchObject({ id, keyCount: 3 });
    expect(await deadline()).toBeGreaterThan(before + 1_000);
  });

  it('ends a lease with all keys that were named before, and none on a read-only connection', async () => {
    const server = await startEtcd();
    const etcd = openTestEtcd(server.uri);
    const lease = await etcd.grant(600);
    await etcd.put('jobs/a', '1', lease);
    await etcd.put('other/b', '1', lease);
    await etcd.put('jobs/kept', '1');
    const [backend, guarded] = [await open(server.uri), await open(server.uri, { readOnly: true })];
    await live(backend);
    const { id = '', keyCount = 0 } = (await backend.leases.ofKey('jobs', 'jobs/a')) ?? {};
    expect(await backend.leases.ofKey('jobs', 'jobs/kept')).toBeNull();
    await expect(backend.leases.ofKey('jobs', 'other/b')).rejects.toMatchObject({
      code: 'DOCUMENT_NOT_FOUND',
    });
    await expect(guarded.leases.revoke({ id, keyCount })).rejects.toMatchObject({ code: 'READ_ONLY' });
    await expect(backend.leases.revoke({ id, keyCount: 1 })).rejects.toMatchObject({
      code: 'EXPECTATION_FAILED',
    });
    expect(await backend.leases.revoke({ id, keyCount: 2 })).toEqual({ deleted: 2 });
    expect([await etcd.get('jobs/a'), await etcd.get('other/b')]).toEqual([null, null]);
    expect(await etcd.get('jobs/kept')).not.toBeNull();
    await expect(backend.leases.get(id)).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
  });

  it('lists the leases that end first, with their keys, page by page, and the prefixes whose keys have none', async () => {
    const server = await startEtcd();
    const etcd = openTestEtcd(server.uri);
    const [late, soon] = [await etcd.grant(6_000), await etcd.grant(600)];
    await etcd.put('jobs/a', '1', late);
    await etcd.put('jobs/b', '1', soon);
    await etcd.put('other/c', '1', soon);
    await etcd.put('other/kept', '1');
    const backend = await open(server.uri);
    await live(backend);
    const { id: empty } = await backend.leases.grant(300);
    const first = await backend.leases.list({ limit: 2 });
    expect(first).toMatchObject({ total: 3, withoutLease: [{ collection: 'other', keys: 1 }] });
    expect(first.leases.map(({ id, keyCount, grantedSeconds }) => [id, keyCount, grantedSeconds])).toEqual([
      [BigInt(soon).toString(16), 2, 600],
      [BigInt(late).toString(16), 1, 6_000],
    ]);
    expect(first.leases[0]?.keys.toSorted()).toEqual(['jobs/b', 'other/c']);
    const rest = await backend.leases.list({ limit: 2, after: first.next ?? '' });
    expect(rest.leases).toMatchObject([{ id: empty, keyCount: 0, grantedSeconds: 300 }]);
    expect(rest.next).toBeNull();
    await expect(backend.leases.list({ limit: 1, after: 'x' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('attaches a key to another lease and detaches it; other keys keep theirs', async () => {
    const server = await startEtcd();
    const etcd = openTestEtcd(server.uri);
    const former = await etcd.grant(600);
    await etcd.put('jobs/a', 'value', former);
    await etcd.put('jobs/b', '1', former);
    const [backend, guarded] = [await open(server.uri), await open(server.uri, { readOnly: true })];
    await live(backend);
    await live(guarded);
    const { id } = await backend.leases.grant(6_000);
    const chosen = { id, collection: 'jobs', key: 'jobs/a' };
    await expect(guarded.leases.attach(chosen)).rejects.toMatchObject({ code: 'READ_ONLY' });
    await expect(guarded.leases.grant(60)).rejects.toMatchObject({ code: 'READ_ONLY' });
    await expect(backend.leases.attach({ ...chosen, id: 'abc' })).rejects.toMatchObject({
      code: 'DOCUMENT_NOT_FOUND',
    });
    await expect(backend.leases.attach({ ...chosen, key: 'jobs/none' })).rejects.toMatchObject({
      code: 'DOCUMENT_NOT_FOUND',
    });
    expect(await backend.leases.attach(chosen)).toMatchObject({ id, keys: ['jobs/a'], keyCount: 1 });
    const deadline = async () =>
      (await backend.reads.document({ collection: 'jobs', id: 'jobs/a', includeExpired: true }, Date.now()))
        .deadlineAt;
    expect((await deadline()) ?? 0).toBeGreaterThan(Date.now() + 5_900_000);
    expect(await etcd.get('jobs/b')).toMatchObject({ lease: former });
    const ofFormer = BigInt(former).toString(16);
    await expect(backend.leases.detach({ ...chosen, id: ofFormer })).rejects.toMatchObject({
      code: 'EXPECTATION_FAILED',
    });
    expect(await backend.leases.detach(chosen)).toMatchObject({ id, keyCount: 0 });
    expect(await deadline()).toBeNull();
    expect(await etcd.get('jobs/a')).toMatchObject({ lease: '0', value: 'value' });
  });

  it('gets a new lease for a key whose deadline is set; other keys of its former lease do not change', async () => {
    const server = await startEtcd();
    const etcd = openTestEtcd(server.uri);
    const lease = await etcd.grant(600);
    await etcd.put('jobs/a', 'value of a', lease);
    await etcd.put('jobs/b', 'value of b', lease);
    const backend = await open(server.uri);
    await live(backend);
    const set = await backend.setExpiration('jobs', ['jobs/a', 'jobs/missing'], { after: 900 });
    expect(set).toMatchObject({
      succeeded: 1,
      failed: [{ _id: 'jobs/missing', code: 'DOCUMENT_NOT_FOUND' }],
    });
    const a = await etcd.get('jobs/a');
    expect(a?.value).toBe('value of a');
    expect(a?.lease).not.toBe(lease);
    expect(await backend.leases.ofKey('jobs', 'jobs/a')).toMatchObject({ keyCount: 1, keys: ['jobs/a'] });
    expect(await etcd.get('jobs/b')).toMatchObject({ value: 'value of b', lease });
    await backend.setExpiration('jobs', ['jobs/a'], null);
    expect(await etcd.get('jobs/a')).toMatchObject({ value: 'value of a', lease: '0' });
    expect(await backend.leases.ofKey('jobs', 'jobs/a')).toBeNull();
    expect(
      backend.dueAfterSetting(
        'jobs',
        ['jobs/a', 'jobs/b'],
        { after: 60 },
        { by: Date.now() + 120_000, isOver: () => false },
      ),
    ).toEqual({ due: 2, done: 2 });
  });

  it('is edited and deleted by key, and never through a read-only connection', async () => {
    const server = await startEtcd();
    const etcd = openTestEtcd(server.uri);
    await etcd.put('jobs/a', '{"n":1}');
    const backend = await open(server.uri);
    const guarded = await open(server.uri, { readOnly: true });
    await live(backend);
    await live(guarded);
    await expect(guarded.put('jobs', 'jobs/a', { value: 'x' })).rejects.toMatchObject({ code: 'READ_ONLY' });
    await expect(guarded.delete('jobs', ['jobs/a'])).rejects.toMatchObject({ code: 'READ_ONLY' });
    await backend.put('jobs', 'jobs/a', { value: { n: 2 }, modRevision: 2 });
    expect(await etcd.get('jobs/a')).toMatchObject({ value: '{"n":2}' });
    await expect(backend.put('jobs', 'jobs/a', { value: 'mine', modRevision: 2 })).rejects.toMatchObject({
      code: 'EXPECTATION_FAILED',
    });
    expect(await backend.delete('jobs', ['jobs/a'])).toMatchObject({ succeeded: 1, failed: [] });
    expect(await etcd.get('jobs/a')).toBeNull();
    await expect(backend.put('jobs', 'jobs/a', { value: 'back' })).rejects.toMatchObject({
      code: 'DOCUMENT_NOT_FOUND',
    });
    expect(await etcd.get('jobs/a')).toBeNull();
  });

  it('is stale while its server is not running, and continues from the last revision', async () => {
    const server = await startEtcd();
    const etcd = openTestEtcd(server.uri);
    await etcd.put('jobs/a', '1');
    const backend = await open(server.uri);
    await live(backend);
    await server.kill();
    await vi.waitFor(() => {
      expect(backend.remote.mirror?.is).toBe('stale');
      expect(backend.remote.unreachable).not.toBeNull();
    }, SOON);
    await expect(backend.put('jobs', 'jobs/a', { value: '2' })).rejects.toMatchObject({
      code: 'SERVER_UNREACHABLE',
    });
    await server.start();
    await etcd.put('jobs/b', '1');
    await live(backend);
    expect(backend.remote.unreachable).toBeNull();
    await vi.waitFor(
      async () => expect((await backend.reads.summaries(['jobs'], Date.now()))[0]?.documents).toBe(2),
      SOON,
    );
  });

  it('is read again where the missed history was compacted', async () => {
    const server = await startEtcd();
    const etcd = openTestEtcd(server.uri);
    await etcd.put('jobs/a', '1');
    const backend = await open(server.uri);
    await live(backend);
    backend.mirror.change({ paused: true });
    await vi.waitFor(() => expect(backend.remote.mirror?.is).toBe('paused'), SOON);
    await etcd.delete('jobs/a');
    await etcd.put('jobs/b', '1');
    await etcd.put('jobs/b', '2');
    const { modRevision = 0 } = (await etcd.get('jobs/b')) ?? {};
    await etcd.client.call('kv/compaction', { revision: String(modRevision) }, putReply);
    const states: string[] = [];
    backend.onRemoteChange(() => states.push(backend.remote.mirror?.is ?? ''));
    backend.mirror.change({ paused: false });
    await vi.waitFor(() => expect(states).toContain('scanning'), SOON);
    await live(backend);
    const page = await backend.reads.documents(
      { collection: 'jobs', limit: 10, sort: '_id', order: 'asc', includeExpired: true },
      Date.now(),
    );
    expect(page.documents.map(({ _id }) => _id)).toEqual(['jobs/b']);
  });

  it('reports its version, distance and keys to a test of the connection, which changes nothing', async () => {
    const server = await startEtcd();
    const etcd = openTestEtcd(server.uri);
    await etcd.put('a/1', '1');
    await etcd.put('b/1', '1');
    const probe = await probeEtcd({
      uri: `${server.uri}/?prefix=a/`,
      secret: undefined,
      clock: systemClock,
      log: silentLog,
    });
    expect(probe).toMatchObject({ server: expect.stringMatching(/^etcd 3\.\d+/), keys: 1, findings: [] });
    expect((await etcd.get('a/1'))?.modRevision).toBe(2);
    await server.kill();
    await expect(
      probeEtcd({ uri: server.uri, secret: undefined, clock: systemClock, log: silentLog }),
    ).rejects.toMatchObject({
      code: 'SERVER_UNREACHABLE',
    });
  });
});
