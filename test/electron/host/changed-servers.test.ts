import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openTestConnections, type TestConnections } from '../../support/connections.ts';
import { NEEDS_REDIS, startRedis } from '../../support/redis.ts';
import { openTestConnection } from '../../support/redis-connection.ts';
import { runsHere } from '../../support/runs-here.ts';

const PATIENT = { timeout: 20_000 };

const record = (all: TestConnections, id: string) => all.connections.list.find(one => one.id === id);

describe.runIf(runsHere('changed Redis connections', NEEDS_REDIS))(
  'the server of an existing connection',
  { timeout: 120_000 },
  () => {
    it('is changed with the label at once, and keeps the password that is left out', async () => {
      const [first, second] = [
        await startRedis('--requirepass', 'hunter2'),
        await startRedis('--requirepass', 'hunter2'),
      ];
      const admin = await openTestConnection(second.uri.replace('redis://', 'redis://:hunter2@'));
      await admin.command('SET', 'other:1', 'v');
      const all = await openTestConnections();
      const { id } = await all
        .client()
        .connections.add({ name: 'cache', target: { kind: 'redis', uri: first.uri, secret: 'hunter2' } });
      await all.opened(id);
      const changed = await all.client().connections.change({
        id,
        name: 'other cache',
        environment: 'production',
        target: { kind: 'redis', uri: second.uri },
      });
      expect(changed).toMatchObject({
        name: 'other cache',
        environment: 'production',
        target: { uri: second.uri },
      });
      await all.opened(id);
      await vi.waitFor(async () => {
        expect(await all.client(id).collections.list()).toMatchObject([{ name: 'other' }]);
      }, PATIENT);
      const files = readdirSync(all.folder, { recursive: true, encoding: 'utf8' })
        .filter(file => /connections$|jsonl$|sqlite/.test(file))
        .map(file => readFileSync(join(all.folder, file), 'latin1'));
      expect(files.join()).not.toContain('hunter2');
      expect(JSON.stringify([changed, all.connections.list])).not.toContain('hunter2');
      // Stored: the next start connects to the second server.
      await all.stop();
      const again = await openTestConnections(all.folder);
      expect(record(again, id)?.target).toMatchObject({ uri: second.uri });
    });

    it('is changed from its own engine, which ends by it', async () => {
      const [first, second] = [await startRedis(), await startRedis()];
      const all = await openTestConnections();
      const { id } = await all
        .client()
        .connections.add({ name: 'cache', target: { kind: 'redis', uri: first.uri } });
      await all.opened(id);
      await all.client(id).connections.change({ id, target: { kind: 'redis', uri: second.uri } });
      await vi.waitFor(() => expect(all.engines(id)).toHaveLength(2), PATIENT);
      await all.opened(id);
      expect((await all.client(id).store.info()).remote).toMatchObject({ unreachable: null });
    });

    it('stays as it was if the other one refuses: address, password and name', async () => {
      const [first, second] = [await startRedis(), await startRedis('--requirepass', 'hunter2')];
      const all = await openTestConnections();
      const { id } = await all
        .client()
        .connections.add({ name: 'cache', target: { kind: 'redis', uri: first.uri } });
      await all.opened(id);
      for (const [target, code] of [
        [{ kind: 'redis', uri: second.uri }, 'SECRET_REQUIRED'],
        [{ kind: 'redis', uri: second.uri, secret: 'wrong' }, 'PERMISSION_DENIED'],
        [{ kind: 'etcd', uri: 'etcd://127.0.0.1' }, 'INVALID_CONNECTION'],
        [{ kind: 'redis', uri: 'redis://' }, 'INVALID_CONNECTION'],
      ] as const) {
        const change = all.client().connections.change({ id, name: 'renamed', target });
        await expect(change).rejects.toMatchObject({ code });
      }
      expect(record(all, id)).toMatchObject({ name: 'cache', target: { uri: first.uri } });
      expect(all.engines(id)).toHaveLength(1);
      const other = await all
        .client()
        .connections.add({ name: 'other', target: { kind: 'redis', uri: second.uri, secret: 'hunter2' } });
      await expect(
        all.client().connections.change({ id: other.id, target: { kind: 'redis', uri: first.uri } }),
      ).rejects.toMatchObject({ code: 'CONNECTION_EXISTS', data: { id } });
    });

    it('is tested with the password that it has, and nothing is changed', async () => {
      const server = await startRedis('--requirepass', 'hunter2');
      const all = await openTestConnections();
      const { id } = await all
        .client()
        .connections.add({ name: 'cache', target: { kind: 'redis', uri: server.uri, secret: 'hunter2' } });
      await all.opened(id);
      const target = { kind: 'redis', uri: server.uri.replace('/0', '/1') } as const;
      const before = all.connections.list;
      expect(await all.client().connections.test({ ...target, connection: id })).toMatchObject({
        is: 'server',
        keys: 0,
      });
      expect(
        await all.client().connections.test({ ...target, connection: id, secret: 'wrong' }),
      ).toMatchObject({ is: 'refused', code: 'PERMISSION_DENIED' });
      expect(await all.client().connections.test(target)).toMatchObject({
        is: 'refused',
        code: 'SECRET_REQUIRED',
      });
      expect(all.connections.list).toEqual(before);
      expect(all.engines(id)).toHaveLength(1);
    });

    it('is not connected while the connection is closed, and a password may be removed', async () => {
      const server = await startRedis('--requirepass', 'hunter2');
      const all = await openTestConnections();
      const { id } = await all
        .client()
        .connections.add({ name: 'cache', target: { kind: 'redis', uri: server.uri, secret: 'hunter2' } });
      await all.opened(id);
      await all.client().connections.close({ id });
      const target = { kind: 'redis', uri: 'redis://127.0.0.1:1/0' } as const;
      expect(await all.client().connections.change({ id, target })).toMatchObject({
        target,
        state: { is: 'closed' },
      });
      await all.client().connections.change({ id, target: { kind: 'redis', uri: server.uri, secret: '' } });
      await all.client().connections.open({ id });
      await vi.waitFor(
        () =>
          expect(record(all, id)?.state).toMatchObject({
            is: 'failed',
            code: 'SECRET_REQUIRED',
            needs: 'secret',
          }),
        PATIENT,
      );
    });
  },
);
