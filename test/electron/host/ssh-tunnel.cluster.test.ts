import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ConnectionTest, NamedTarget, SshTarget } from '../../../shared/contract/connections.ts';
import type { ServerKind } from '../../../shared/model/transport/server-address.ts';
import { openTestConnections, type TestConnections } from '../../support/connections.ts';
import { createEtcdServer, type EtcdServer, NEEDS_ETCD } from '../../support/etcd-server.ts';
import { NEEDS_POSTGRES, type PostgresServer, startPostgresServer } from '../../support/postgres-server.ts';
import { openTestConnection } from '../../support/redis-connection.ts';
import { NEEDS_REDIS, type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { runsHere } from '../../support/runs-here.ts';
import { makeKey, NEEDS_SSHD, type SshServer, startSshServer } from '../../support/ssh-server.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const PATIENT = { timeout: 30_000 };
const missing = NEEDS_SSHD ?? NEEDS_REDIS;

describe.runIf(runsHere('connections through SSH', missing))(
  'a connection through an SSH server',
  { timeout: 90_000 },
  () => {
    let ssh: SshServer;
    let redis: RedisServer;
    let etcd: { server: EtcdServer; stop(): Promise<void> } | null = null;
    let postgres: PostgresServer | null = null;

    beforeAll(async () => {
      ssh = await startSshServer();
      redis = await startRedisServer();
      if (NEEDS_ETCD === undefined) {
        etcd = await createEtcdServer();
        await etcd.server.start();
      }
      if (NEEDS_POSTGRES === undefined) postgres = await startPostgresServer();
    }, 120_000);
    afterAll(async () => {
      await ssh.stop();
      await redis.stop();
      await etcd?.stop();
      await postgres?.stop();
    });

    const hop = (): SshTarget => {
      const { host, port, user, key } = ssh;
      return { host, port, user, key, knownHosts: ssh.knownHosts() };
    };
    const target = (more: Partial<SshTarget> = {}, kind: ServerKind = 'redis', uri = redis.uri) =>
      ({ kind, uri, ssh: { ...hop(), ...more } }) satisfies NamedTarget;
    const test = async (all: TestConnections, of: NamedTarget): Promise<ConnectionTest> =>
      all.client().connections.test(of);

    /** A loaded machine opens a connection after its addition was answered. */
    const isOpen = (all: TestConnections, id: string) =>
      vi.waitFor(() => {
        expect(all.connections.list.find(one => one.id === id)?.state).toEqual({ is: 'open' });
      }, PATIENT);

    it('is tested, and lists its data, for each engine', async () => {
      await (await openTestConnection(redis.uri)).command('SET', 'session:1', 'v', 'PX', 3_600_000);
      const all = await openTestConnections();
      const engines: [ServerKind, string | undefined, RegExp][] = [
        ['redis', redis.uri, /^Redis \d/],
        ['etcd', etcd?.server.uri, /^etcd \d/],
        ['postgresql', postgres?.uri, /^PostgreSQL \d/],
      ];
      for (const [kind, uri, name] of engines) {
        if (uri === undefined) continue;
        const found = await test(all, target({}, kind, uri));
        expect(found, kind).toMatchObject({ is: 'server', server: expect.stringMatching(name) });
        const added = await all.client().connections.add({ name: kind, target: target({}, kind, uri) });
        await isOpen(all, added.id);
        const { remote } = await all.client(added.id).store.info();
        expect(remote, kind).toMatchObject({ unreachable: null });
      }
      const cache = all.connections.list.find(({ name }) => name === 'redis');
      await vi.waitFor(async () => {
        const [session] = await all.client(cache?.id).collections.list();
        expect(session).toMatchObject({ name: 'session', documents: 1, withDeadline: 1 });
      }, PATIENT);
    });

    it('is refused with the fingerprint if the server’s key is not known, or another one', async () => {
      const all = await openTestConnections();
      const folder = temporaryFolder();
      const unknown = await test(all, target({ knownHosts: ssh.knownHosts('') }));
      expect(unknown).toMatchObject({
        is: 'refused',
        code: 'HOST_KEY_UNKNOWN',
        message: expect.stringMatching(/is not in .*known_hosts-\d+: it is ssh-ed25519 SHA256:/),
      });
      const other = publicKey(makeKey(folder, 'other'));
      const changed = await test(
        all,
        target({ knownHosts: ssh.knownHosts(`[127.0.0.1]:${ssh.port} ${other}\n`) }),
      );
      expect(changed).toMatchObject({
        is: 'refused',
        code: 'HOST_KEY_CHANGED',
        message: expect.stringMatching(/has changed.*line 1 of/),
      });
      const adding = all
        .client()
        .connections.add({ name: 'cache', target: target({ knownHosts: ssh.knownHosts('') }) });
      await expect(adding).rejects.toMatchObject({ code: 'HOST_KEY_UNKNOWN' });
      expect(all.connections.list).toHaveLength(1);
    });

    it('hashed names of known hosts, as ssh writes them, are found', async () => {
      const file = ssh.knownHosts();
      expect(spawnSync('ssh-keygen', ['-H', '-f', file]).status).toBe(0);
      const found = await test(await openTestConnections(), target({ knownHosts: file }));
      expect(found).toMatchObject({ is: 'server' });
    });

    it('a key that may not log in, a host that is away and a target that is away are told apart', async () => {
      const all = await openTestConnections();
      const stranger = await test(all, target({ key: makeKey(temporaryFolder(), 'stranger') }));
      expect(stranger).toMatchObject({ is: 'refused', code: 'SSH_REFUSED' });
      const away = await test(all, target({ port: 1 }));
      expect(away).toMatchObject({
        is: 'refused',
        message: expect.stringMatching(/The SSH server 127\.0\.0\.1:1 cannot be reached/),
      });
      const behind = await test(all, target({}, 'redis', 'redis://127.0.0.1:1'));
      expect(behind).toMatchObject({
        is: 'refused',
        message: expect.stringMatching(/127\.0\.0\.1:1 cannot be reached from the SSH server/),
      });
      const missing = await test(all, target({ key: '/no/such/key' }));
      expect(missing).toMatchObject({ is: 'refused', code: 'INVALID_CONNECTION' });
    });

    it('goes over a jump host, whose key is checked too', async () => {
      const jump = await startSshServer(`AuthorizedKeysFile ${ssh.key}.pub`);
      try {
        const all = await openTestConnections();
        const over = { host: jump.host, port: jump.port, user: jump.user };
        const knownHosts = ssh.knownHosts(`${ssh.knownHost}${jump.knownHost}`);
        const found = await test(all, target({ jump: over, knownHosts }));
        expect(found).toMatchObject({ is: 'server' });
        const unknown = await test(all, target({ jump: over }));
        expect(unknown).toMatchObject({
          code: 'HOST_KEY_UNKNOWN',
          message: expect.stringContaining(`127.0.0.1:${jump.port}`),
        });
      } finally {
        await jump.stop();
      }
    });

    it('asks for the passphrase of its key, keeps it in memory, and shows it nowhere', async () => {
      const folder = temporaryFolder();
      const key = makeKey(folder, 'encrypted', 'open sesame');
      const strict = await startSshServer(`AuthorizedKeysFile ${key}.pub`);
      try {
        const encrypted = target({ port: strict.port, key, knownHosts: strict.knownHosts() });
        const home = temporaryFolder();
        const all = await openTestConnections(home);
        expect(await test(all, encrypted)).toMatchObject({ code: 'PASSPHRASE_REQUIRED' });
        const wrong = await test(all, { ...encrypted, passphrase: 'wrong' });
        expect(wrong).toMatchObject({ code: 'PASSPHRASE_REQUIRED' });
        const { id } = await all
          .client()
          .connections.add({ name: 'cache', target: { ...encrypted, passphrase: 'open sesame' } });
        await isOpen(all, id);
        const shown = [
          await all.client().connections.list(),
          await all.client(id).store.info(),
          all.warnings,
        ];
        expect(JSON.stringify(shown)).not.toContain('sesame');
        await all.stop();

        const again = await openTestConnections(home);
        await vi.waitFor(() => {
          const record = again.connections.list.find(one => one.id === id);
          expect(record?.state).toMatchObject({ is: 'failed', code: 'PASSPHRASE_REQUIRED' });
        }, PATIENT);
        await again.client().connections.open({ id, passphrase: 'open sesame' });
        await isOpen(again, id);
      } finally {
        await strict.stop();
      }
    });

    describe('with an agent', () => {
      let agent: ChildProcess | null = null;
      afterEach(() => {
        vi.unstubAllEnvs();
        agent?.kill();
      });

      it('logs in with a key that only the agent holds', async () => {
        const socket = join(temporaryFolder(), 'agent');
        agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: ['ignore', 'pipe', 'ignore'] });
        await new Promise(resolve => agent?.stdout?.once('data', resolve));
        const added = spawnSync('ssh-add', ['-q', ssh.key], {
          env: { ...process.env, SSH_AUTH_SOCK: socket },
        });
        expect(added.status).toBe(0);
        vi.stubEnv('SSH_AUTH_SOCK', socket);
        const { key: _, ...withAgent } = hop();
        const found = await test(await openTestConnections(), {
          kind: 'redis',
          uri: redis.uri,
          ssh: withAgent,
        });
        expect(found).toMatchObject({ is: 'server' });
      });

      it('says so if no agent runs and no key is named', async () => {
        vi.stubEnv('SSH_AUTH_SOCK', undefined);
        const { key: _, ...without } = hop();
        const refused = await test(await openTestConnections(), {
          kind: 'redis',
          uri: redis.uri,
          ssh: without,
        });
        expect(refused).toMatchObject({ message: expect.stringMatching(/SSH_AUTH_SOCK is not set/) });
      });
    });

    it('shows its last state while the SSH server is away, and reconnects by itself', async () => {
      const all = await openTestConnections();
      const { id } = await all.client().connections.add({ name: 'cache', target: target() });
      const client = all.client(id);
      await vi.waitFor(async () => {
        expect((await client.store.info()).remote).toMatchObject({ unreachable: null });
      }, PATIENT);
      await ssh.kill();
      await vi.waitFor(async () => {
        const { remote } = await client.store.info();
        expect(remote?.unreachable).toMatchObject({
          since: expect.any(Number),
          reason: expect.stringContaining('SSH'),
        });
      }, PATIENT);
      await ssh.start();
      await vi.waitFor(async () => {
        expect((await client.store.info()).remote).toMatchObject({ unreachable: null });
      }, PATIENT);
    });
  },
);

function publicKey(file: string): string {
  const { stdout } = spawnSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8' });
  return stdout.trim();
}
