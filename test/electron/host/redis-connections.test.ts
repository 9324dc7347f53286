import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ORPCError } from '@orpc/client';
import { describe, expect, it, vi } from 'vitest';
import { missingBecause } from '../../../shared/contract/capabilities.ts';
import type { Client } from '../../../shared/contract/index.ts';
import { PROCEDURES } from '../../../shared/contract/procedure-facts.ts';
import { openTestConnections, type TestConnections } from '../../support/connections.ts';
import { NEEDS_REDIS, startRedis } from '../../support/redis.ts';
import { openTestConnection } from '../../support/redis-connection.ts';
import { runsHere } from '../../support/runs-here.ts';

const PATIENT = { timeout: 20_000 };

async function connect(all: TestConnections, uri: string, more: object = {}): Promise<string> {
  const { id } = await all.client().connections.add({
    name: 'cache',
    target: { kind: 'redis', uri, ...more },
  });
  await all.opened(id);
  return id;
}

/** Calls a procedure by its name with an input that no procedure takes. */
async function failureOf(client: Client, name: string): Promise<unknown> {
  const call: unknown = name.split('.').reduce<unknown>((at, part) => Reflect.get(Object(at), part), client);
  if (typeof call !== 'function') throw new Error(`${name} is no procedure`);
  return Reflect.apply(call, undefined, [42]).then(
    () => null,
    (error: unknown) => error,
  );
}

describe.runIf(runsHere('Redis as a connection', NEEDS_REDIS))(
  'a Redis server as a connection',
  { timeout: 120_000 },
  () => {
    it('is tested without a change, and lists its keys by prefix with their deadlines', async () => {
      const server = await startRedis('--notify-keyspace-events', 'KEA');
      const redis = await openTestConnection(server.uri);
      for (let i = 0; i < 30; i++) await redis.command('SET', `session:${i}`, 'v', 'PX', 3_600_000 + i);
      await redis.command('SET', 'config:a', 'v');
      const all = await openTestConnections();
      const tested = await all.client().connections.test({ kind: 'redis', uri: server.uri });
      expect(tested).toMatchObject({ is: 'server', keys: 31, server: expect.stringMatching(/^Redis \d/) });
      const client = all.client(await connect(all, server.uri));
      await vi.waitFor(async () => {
        const collections = await client.collections.list();
        expect(
          collections.map(({ name, documents, withDeadline }) => [name, documents, withDeadline]),
        ).toEqual([
          ['config', 1, 0],
          ['session', 30, 30],
        ]);
      }, PATIENT);
      const info = await client.store.info();
      expect(info).toMatchObject({ role: 'leader', capabilities: { kind: 'redis', removedBy: 'engine' } });
      expect(info.remote?.server).toMatch(/^Redis \d/);
      // The current minute, also of one prefix [M1].
      const span = { from: Date.now() - 120_000, to: Date.now() };
      expect((await client.metrics.series(span)).at(-1)).toMatchObject({ documents: 31, withDeadline: 30 });
      expect((await client.metrics.series({ ...span, collection: 'config' })).at(-1)).toMatchObject({
        documents: 1,
        withDeadline: 0,
      });
    });

    it('[P2] refuses a feature that the engine lacks with the reason, before any other check', async () => {
      const server = await startRedis();
      const all = await openTestConnections();
      const client = all.client(await connect(all, server.uri));
      const { capabilities } = await client.store.info();
      let refused = 0;
      for (const [name, { feature }] of PROCEDURES) {
        if (feature === null) continue;
        const reason = missingBecause(capabilities, feature);
        if (reason === null) continue;
        const failure = await failureOf(client, name);
        expect(failure, name).toBeInstanceOf(ORPCError);
        expect(failure, name).toMatchObject({
          code: 'NOT_SUPPORTED',
          status: 422,
          data: { feature, reason },
        });
        refused += 1;
      }
      expect(refused).toBeGreaterThan(20);
    });

    it('keeps its password out of lists, answers and files', async () => {
      const server = await startRedis('--requirepass', 'hunter2');
      const all = await openTestConnections();
      const refused = await all.client().connections.test({ kind: 'redis', uri: server.uri });
      expect(refused).toMatchObject({ is: 'refused' });
      const withPassword = server.uri.replace('redis://', 'redis://:hunter2@');
      const id = await connect(all, withPassword);
      const answers = [
        await all.client().connections.list(),
        await all.client(id).store.info(),
        all.connections.list,
        all.warnings,
      ];
      expect(JSON.stringify(answers)).not.toContain('hunter2');
      for (const file of readdirSync(all.folder, { recursive: true, encoding: 'utf8' })) {
        const path = join(all.folder, file);
        if (/connections$|jsonl$|sqlite/.test(file))
          expect(readFileSync(path, 'latin1'), file).not.toContain('hunter2');
      }
    });

    it('is opened again by a host without the password only once it is given', async () => {
      const server = await startRedis('--requirepass', 'hunter2');
      const first = await openTestConnections();
      const id = await connect(first, server.uri, { secret: 'hunter2' });
      await first.stop();
      const again = await openTestConnections(first.folder);
      await vi.waitFor(
        () =>
          expect(again.connections.list.find(one => one.id === id)?.state).toMatchObject({ is: 'failed' }),
        PATIENT,
      );
      await again.client().connections.open({ id, secret: 'hunter2' });
      await again.opened(id);
    });

    it('is refused where the server is connected already, by any spelling of its address', async () => {
      const server = await startRedis();
      const all = await openTestConnections();
      const id = await connect(all, server.uri);
      const uri = `REDIS://default@LOCALHOST:${server.port}`;
      await expect(
        all.client().connections.add({ name: 'again', target: { kind: 'redis', uri } }),
      ).rejects.toMatchObject({ code: 'CONNECTION_EXISTS', data: { id } });
    });

    it('loses its mirror with the connection', async () => {
      const server = await startRedis();
      const all = await openTestConnections();
      const id = await connect(all, server.uri);
      const mirror = join(all.folder, 'home.sandglass-connections.d', `${id}.sqlite`);
      expect(existsSync(mirror)).toBe(true);
      await all.client().connections.remove({ id });
      await vi.waitFor(() => expect(existsSync(mirror)).toBe(false), PATIENT);
    });

    it('[P1] can be connected from the network only if it runs on this machine', async () => {
      const server = await startRedis();
      const all = await openTestConnections();
      const caller = { user: 'ci', permission: 'configure', from: 'network' } as const;
      const network = all.client(undefined, caller);
      const target = { kind: 'redis', uri: 'redis://10.255.255.1:6379' } as const;
      expect(await network.connections.test(target)).toMatchObject({
        is: 'refused',
        code: 'INVALID_CONNECTION',
      });
      await expect(network.connections.add({ name: 'x', target })).rejects.toMatchObject({
        code: 'INVALID_CONNECTION',
      });
      expect(await network.connections.test({ kind: 'redis', uri: server.uri })).toMatchObject({
        is: 'server',
      });
    });
  },
);
