import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  ConnectionTest,
  ServerTarget,
  ServerWithSecrets,
} from '../../../shared/contract/connections.ts';
import { type Certificates, makeCertificates, NEEDS_OPENSSL } from '../../support/certificates.ts';
import { openConnections, openTestConnections, type TestConnections } from '../../support/connections.ts';
import { createEtcdServer, NEEDS_ETCD } from '../../support/etcd-server.ts';
import { freePort } from '../../support/free-port.ts';
import {
  giveToServer,
  NEEDS_POSTGRES,
  type PostgresServer,
  SERVER_FILES,
  startPostgresServer,
} from '../../support/postgres-server.ts';
import { NEEDS_REDIS, type RedisServer, startTlsRedisServer } from '../../support/redis-server.ts';
import { runsHere } from '../../support/runs-here.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const needs = NEEDS_OPENSSL ?? NEEDS_REDIS ?? NEEDS_ETCD ?? NEEDS_POSTGRES;

describe.runIf(runsHere('TLS with certificates of their own', needs))(
  'servers with TLS that require a certificate of the client',
  { timeout: 120_000 },
  () => {
    let files: Certificates;
    let redis: RedisServer;
    let etcdPort: number;
    let etcd: Awaited<ReturnType<typeof createEtcdServer>>;
    let postgres: PostgresServer;
    let all: TestConnections;

    beforeAll(async () => {
      files = makeCertificates(SERVER_FILES);
      all = await openConnections(files.folder);
      redis = await startTlsRedisServer(files);
      etcdPort = await freePort();
      const clients = `https://127.0.0.1:${etcdPort}`;
      etcd = await createEtcdServer(
        ...['--listen-client-urls', clients, '--advertise-client-urls', clients, '--client-cert-auth'],
        ...['--cert-file', files.server.cert, '--key-file', files.server.key],
        ...['--trusted-ca-file', files.ca],
      );
      await etcd.server.start();
      giveToServer(files.server.key);
      const access = join(files.folder, 'pg_hba.conf');
      writeFileSync(access, 'hostssl all all 127.0.0.1/32 scram-sha-256 clientcert=verify-ca\n');
      postgres = await startPostgresServer(
        ...['ssl=on', `ssl_cert_file=${files.server.cert}`, `ssl_key_file=${files.server.key}`],
        ...[`ssl_ca_file=${files.ca}`, `hba_file=${access}`],
      );
    }, 120_000);
    afterAll(async () => {
      await all?.stop();
      await redis?.stop();
      await etcd?.stop();
      await postgres?.stop();
      files.remove();
    });

    const servers = (): ServerTarget[] => [
      { kind: 'redis', uri: redis.uri },
      { kind: 'etcd', uri: `etcds://127.0.0.1:${etcdPort}` },
      { kind: 'postgresql', uri: `${postgres.uri}?sslmode=verify-full` },
    ];
    const tested = (target: ServerWithSecrets): Promise<ConnectionTest> =>
      all.client().connections.test(target);

    it('are connected with the authority and the certificate, and stay so in the list', async () => {
      const { client } = await openTestConnections();
      for (const server of servers()) {
        const target = { ...server, tls: { ca: files.ca, ...files.client } };
        const found = await client().connections.test(target);
        expect(found, server.kind).toMatchObject({ is: 'server' });
        const { id, target: kept } = await client().connections.add({ name: server.kind, target });
        expect(kept).toMatchObject({ tls: { ca: files.ca, ...files.client } });
        expect((await client(id).store.info()).remote, server.kind).toMatchObject({ unreachable: null });
      }
    });

    it('are refused without the authority, and refuse a client without a certificate', async () => {
      for (const server of servers()) {
        const unknown = await tested({ ...server, tls: files.client });
        expect(unknown, server.kind).toMatchObject({
          is: 'refused',
          code: 'INVALID_CONNECTION',
          message: expect.stringMatching(/authority that is not trusted here. Name the file/),
        });
        const anonymous = await tested({ ...server, tls: { ca: files.ca } });
        expect(anonymous, server.kind).toMatchObject({ is: 'refused' });
        // PostgreSQL refuses the login, and not TLS.
        if (server.kind !== 'postgresql')
          expect(anonymous, server.kind).toMatchObject({
            code: 'INVALID_CONNECTION',
            message: expect.stringMatching(/requires one. Name the files of a client certificate/),
          });
      }
    });

    it('are refused by another name than the certificate has', async () => {
      const tls = { ca: files.ca, ...files.client };
      for (const server of servers()) {
        const uri = server.uri.replace('127.0.0.1', 'localhost');
        const found = await tested({ ...server, uri, tls });
        expect(found, server.kind).toMatchObject({
          is: 'refused',
          code: 'INVALID_CONNECTION',
          message: expect.stringMatching(
            /does not name localhost; it names 127\.0\.0\.1\. Connect by a name that it has/,
          ),
        });
      }
    });

    it('are refused with an expired certificate, and without TLS on the port', async () => {
      const expired = await startTlsRedisServer(
        { ca: files.ca, server: files.expired },
        ...['--tls-auth-clients', 'no'],
      );
      const plain = await createEtcdServer();
      await plain.server.start();
      try {
        const tls = { ca: files.ca };
        expect(await tested({ kind: 'redis', uri: expired.uri, tls })).toMatchObject({
          is: 'refused',
          code: 'INVALID_CONNECTION',
          message: expect.stringMatching(/certificate of 127\.0\.0\.1 has expired\. Renew it/),
        });
        const tlsUri = plain.server.uri.replace('etcd:', 'etcds:');
        expect(await tested({ kind: 'etcd', uri: tlsUri, tls })).toMatchObject({
          is: 'refused',
          message: expect.stringMatching(/the port may be one without TLS/),
        });
      } finally {
        await expired.stop();
        await plain.stop();
      }
    });

    it('are connected with a client key that has a passphrase, which is required and kept', async () => {
      const { client, connections, opened, warnings } = await openTestConnections();
      const [pkcs8 = '', traditional = ''] = files.encryptedKeys('hunter2');
      const tls = { ca: files.ca, cert: files.client.cert, key: pkcs8 };
      for (const server of servers())
        expect(await tested({ ...server, tls, tlsPassphrase: 'hunter2' }), server.kind).toMatchObject({
          is: 'server',
        });
      const target = { kind: 'redis', uri: redis.uri, tls } as const;
      for (const [secrets, message] of [
        [{}, 'has a passphrase'],
        [{ tlsPassphrase: 'wrong' }, 'does not open the key'],
      ] as const)
        expect(await tested({ ...target, ...secrets })).toMatchObject({
          is: 'refused',
          code: 'PASSPHRASE_REQUIRED',
          message: expect.stringContaining(message),
        });
      const { id } = await client().connections.add({
        name: 'cache',
        target: { ...target, tlsPassphrase: 'hunter2' },
      });
      // Left out, the passphrase is kept with the other form of the key.
      const changed = { ...target, tls: { ...tls, key: traditional } };
      await client().connections.change({ id, target: changed });
      await opened(id);
      expect((await client(id).store.info()).remote).toMatchObject({ unreachable: null });
      expect(JSON.stringify([connections.list, warnings])).not.toContain('hunter2');
    });

    it('need files that can be read and are in PEM', async () => {
      const folder = temporaryFolder();
      const text = join(folder, 'ca.txt');
      writeFileSync(text, 'no certificate');
      const half = join(folder, 'half.pem');
      writeFileSync(half, '-----BEGIN CERTIFICATE-----\nno\n-----END CERTIFICATE-----\n');
      const copy = join(folder, 'client.pem');
      copyFileSync(files.client.cert, copy);
      const server = { kind: 'redis', uri: redis.uri } as const;
      for (const [tls, message] of [
        [{ ca: '/no/such/ca.pem' }, /authority cannot be read/],
        [{ ca: text }, /is not in PEM/],
        [{ ca: half }, /cannot be used/],
        [{ ca: 'ca.pem' }, /full path/],
        [{ ca: files.ca, cert: copy, key: files.server.key }, /cannot be used/],
      ] as const)
        expect(await tested({ ...server, tls })).toMatchObject({
          is: 'refused',
          code: 'INVALID_CONNECTION',
          message: expect.stringMatching(message),
        });
    });
  },
);
