import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { RedisConnection } from '../../../../../electron/engine/backends/redis/connection/redis-connection.ts';
import { listOf, textOf } from '../../../../../electron/engine/backends/redis/connection/reply.ts';
import { freePort } from '../../../../support/free-port.ts';
import { NEEDS_REDIS, startRedis } from '../../../../support/redis.ts';
import {
  directNetwork,
  openTestConnection,
  ready,
  serverTarget,
  silentLog,
} from '../../../../support/redis-connection.ts';
import { runsHere } from '../../../../support/runs-here.ts';
import { silentServer } from '../../../../support/tcp-proxy.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';

describe.runIf(runsHere('connections to Redis', NEEDS_REDIS))('a connection to Redis', () => {
  it('sends a pipeline, with an outcome of each command', async () => {
    const connection = await openTestConnection((await startRedis()).uri);
    const outcomes = await connection.pipeline([
      ['SET', 'a', Buffer.from([0xff, 0x00])],
      ['GET', 'a'],
      ['LPUSH', 'a', 'x'],
      ['GET', 'missing'],
    ]);
    expect(outcomes).toEqual([
      { reply: Buffer.from('OK') },
      { reply: Buffer.from([0xff, 0x00]) },
      { error: expect.objectContaining({ code: 'EXPECTATION_FAILED', data: { redis: 'WRONGTYPE' } }) },
      { reply: null },
    ]);
  });

  it('works in the database of its URI', async () => {
    const server = await startRedis();
    const connection = await openTestConnection(server.uri.replace('/0', '/5'));
    await connection.command('SET', 'a', '1');
    const home = await openTestConnection(server.uri);
    expect(await home.command('GET', 'a')).toBeNull();
    expect(textOf(await connection.command('GET', 'a'))).toBe('1');
  });

  it('fails if no server is running, and if the server does not have the database', async () => {
    const server = await startRedis();
    await expect(openTestConnection(server.uri.replace('/0', '/99'))).rejects.toMatchObject({
      code: 'INVALID_CONNECTION',
      message: expect.stringMatching(/^Database 99 cannot be used/),
    });
    await server.kill();
    await expect(openTestConnection(server.uri)).rejects.toMatchObject({
      code: 'CONNECTION_NOT_OPEN',
      message: expect.stringMatching(/ECONNREFUSED/),
    });
  });

  it('fails if the server of this address is no Redis', async () => {
    const other = createServer(socket => socket.end());
    await once(other.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void other.close());
    const { port } = z.object({ port: z.number() }).parse(other.address());
    await expect(openTestConnection(`redis://127.0.0.1:${port}/0`)).rejects.toMatchObject({
      code: 'CONNECTION_NOT_OPEN',
      message: expect.stringMatching(/has not answered as Redis does$/),
    });
  });

  it('is refused by a server without SELECT, as a Sentinel is one', async () => {
    const server = await startRedis('--rename-command', 'SELECT', '');
    await expect(openTestConnection(server.uri)).rejects.toMatchObject({
      code: 'INVALID_CONNECTION',
      message: expect.stringMatching(/a Sentinel is none/),
    });
  });

  it('is refused with a wrong password, and without one', async () => {
    const server = await startRedis('--requirepass', 'hunter2');
    const at = (login: string) => server.uri.replace('redis://', `redis://${login}`);
    await expect(openTestConnection(at(':wrong@'))).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      data: { redis: 'WRONGPASS' },
    });
    await expect(openTestConnection(at(''))).rejects.toMatchObject({ data: { redis: 'NOAUTH' } });
    const connection = await openTestConnection(at(':hunter2@'));
    expect(textOf(await connection.command('PING'))).toBe('PONG');
  });

  it('logs in as an ACL user, and a command that this user may not run is a typed error', async () => {
    const server = await startRedis();
    const admin = await openTestConnection(server.uri);
    await admin.command('ACL', 'SETUSER', 'ada', 'on', '>p@ss', '~*', '&*', '+@read', '+select');
    const connection = await openTestConnection(server.uri.replace('redis://', 'redis://ada:p%40ss@'));
    await expect(connection.command('SET', 'a', '1')).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      data: { redis: 'NOPERM' },
    });
  });

  it('rejects running commands when the server is killed, refuses others, and connects again', async () => {
    const server = await startRedis();
    const connection = await openTestConnection(server.uri);
    const lost = new Promise<Error>(resolve => connection.onLost(resolve));
    const waiting = connection.command('BLPOP', 'nothing', '0');
    const outcome = expect(waiting).rejects.toMatchObject({
      code: 'CONNECTION_NOT_OPEN',
      message: 'The connection to the Redis server is lost: it ended before the reply',
    });
    await server.kill();
    await outcome;
    await lost;
    await expect(connection.command('PING')).rejects.toMatchObject({ code: 'CONNECTION_NOT_OPEN' });
    expect(await connection.pipeline([['PING']])).toEqual([
      { error: expect.objectContaining({ code: 'CONNECTION_NOT_OPEN' }) },
    ]);
    await server.start();
    await ready(connection);
    expect(textOf(await connection.command('PING'))).toBe('PONG');
  });

  it('reconnects to its database, never to another one', async () => {
    const server = await startRedis();
    const connection = await openTestConnection(server.uri.replace('/0', '/7'));
    const lost = new Promise<Error>(resolve => connection.onLost(resolve));
    const admin = await openTestConnection(server.uri);
    await admin.command('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await lost;
    await ready(connection);
    expect(textOf(await connection.command('CLIENT', 'INFO'))).toMatch(/ db=7 /);
  });

  it('ends its attempt to connect when it is closed, and connects no more', async () => {
    const port = await silentServer();
    const target = serverTarget(`redis://127.0.0.1:${port}/0`);
    const connection = RedisConnection.start({
      target,
      log: silentLog,
      network: directNetwork,
      name: 'test',
    });
    const attempt = connection.firstAttempt();
    connection.close();
    await expect(attempt).rejects.toMatchObject({
      code: 'CONNECTION_NOT_OPEN',
      message: expect.stringMatching(/it is closed/),
    });
    await expect(connection.firstAttempt()).rejects.toMatchObject({ code: 'CONNECTION_NOT_OPEN' });
  });

  it('stays disconnected while the server refuses its password, and reconnects with the right one', async () => {
    const server = await startRedis('--requirepass', 'hunter2');
    const connection = await openTestConnection(server.uri.replace('redis://', 'redis://:hunter2@'));
    await connection.command('CONFIG', 'SET', 'requirepass', 'changed');
    const lost = new Promise<Error>(resolve => connection.onLost(resolve));
    const admin = await openTestConnection(server.uri.replace('redis://', 'redis://:changed@'));
    await admin.command('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await lost;
    const refused = await new Promise<Error>(resolve => connection.onLost(resolve));
    expect(refused).toMatchObject({ code: 'PERMISSION_DENIED', data: { redis: 'WRONGPASS' } });
    await expect(connection.command('PING')).rejects.toThrow(/refuses this user and password/);
    await admin.command('CONFIG', 'SET', 'requirepass', 'hunter2');
    await ready(connection);
    expect(textOf(await connection.command('PING'))).toBe('PONG');
  });

  it('by rediss:// checks the certificate of the server', async () => {
    const folder = temporaryFolder();
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
    const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    execFileSync('openssl', [...request, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const tls = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-auth-clients', 'no'];
    const port = await freePort();
    await startRedis('--tls-port', String(port), ...tls);
    const uri = `rediss://127.0.0.1:${port}`;
    await expect(openTestConnection(uri)).rejects.toMatchObject({
      code: 'INVALID_CONNECTION',
      message: expect.stringMatching(/signed by an authority that is not trusted/),
    });
    const trusted = getCACertificates('default');
    onTestFinished(() => setDefaultCACertificates(trusted));
    setDefaultCACertificates([...trusted, readFileSync(cert, 'utf8')]);
    const connection = await openTestConnection(uri);
    expect(textOf(await connection.command('PING'))).toBe('PONG');
  });

  it('subscribes to a pattern', async () => {
    const server = await startRedis('--notify-keyspace-events', 'Ex$');
    const connection = await openTestConnection(server.uri);
    const subscriber = await openTestConnection(server.uri);
    const events: string[] = [];
    const received = new Promise<void>(resolve => {
      void subscriber
        .subscribe('__keyevent@0__:*', (channel, key) => {
          events.push(`${channel} ${key}`);
          resolve();
        })
        .then(() => connection.command('SET', 'a', '1'));
    });
    await received;
    expect(events).toEqual(['__keyevent@0__:set a']);
    expect(listOf(await connection.command('PUBSUB', 'CHANNELS'))).toEqual([]);
  });
});
