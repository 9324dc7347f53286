import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Certificates } from './certificates.ts';
import { findOrInstall } from './debian-program.mjs';
import { freePort } from './free-port.ts';

const PLACES = ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'];

function findRedis(): string | undefined {
  return process.env.SANDGLASS_REDIS ?? PLACES.find(path => existsSync(path));
}

const REDIS = findOrInstall(findRedis, 'redis-server');

/** Reason for `runsHere`. */
export const NEEDS_REDIS = REDIS === undefined ? 'needs redis-server' : undefined;

export interface RedisServer {
  /** Port of loopback. */
  readonly port: number;
  readonly uri: string;
  /** Kills the server with SIGKILL, so that it writes nothing. */
  kill(): Promise<void>;
  /** Stops its process as SIGSTOP does, and lets it continue: connections stay, and nothing replies. */
  freeze(): void;
  thaw(): void;
  /** Starts it again on the same port, with no data. */
  start(): Promise<void>;
  /** Kills the server and deletes its folder. */
  stop(): Promise<void>;
}

const NOT_STORED = ['--save', '', '--appendonly', 'no'];

/** Starts a server on a free loopback port, in a folder of its own, until `stop`. */
export function startRedisServer(...options: readonly string[]): Promise<RedisServer> {
  return start('redis', port => ['--port', String(port), ...NOT_STORED, ...options]);
}

/** Starts a server whose only port requires TLS and a certificate of the client. A cluster of them uses TLS for its bus too. */
export function startTlsRedisServer(
  files: Pick<Certificates, 'ca' | 'server'>,
  ...options: readonly string[]
): Promise<RedisServer> {
  return start('rediss', port => [
    ...['--port', '0', '--tls-port', String(port), '--tls-cluster', 'yes', '--tls-ca-cert-file', files.ca],
    ...['--tls-cert-file', files.server.cert, '--tls-key-file', files.server.key],
    ...NOT_STORED,
    ...options,
  ]);
}

/** Starts a sentinel that watches a master, until `stop`. `options` are lines of its configuration. */
export function startSentinel(
  master: { name: string; host?: string; port: number; failedAfterMs: number },
  ...options: readonly string[]
): Promise<RedisServer> {
  return start('redis', (port, folder) => {
    const file = join(folder, 'sentinel.conf');
    const lines = [
      `port ${port}`,
      `sentinel monitor ${master.name} ${master.host ?? '127.0.0.1'} ${master.port} 2`,
      `sentinel down-after-milliseconds ${master.name} ${master.failedAfterMs}`,
      `sentinel failover-timeout ${master.name} ${4 * master.failedAfterMs}`,
      ...options,
    ];
    writeFileSync(file, lines.join('\n'));
    return [file, '--sentinel'];
  });
}

async function start(
  scheme: 'redis' | 'rediss',
  wordsOf: (port: number, folder: string) => readonly string[],
): Promise<RedisServer> {
  if (REDIS === undefined) throw new Error('there is no redis-server here');
  const redis = REDIS;
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-redis-'));
  const port = await freePort();
  let child: ChildProcess | null = null;
  const server: RedisServer = {
    port,
    uri: `${scheme}://127.0.0.1:${port}/0`,
    async kill() {
      const running = child;
      child = null;
      if (running === null || running.exitCode !== null) return;
      const ended = new Promise(resolve => running.once('exit', resolve));
      running.kill('SIGKILL');
      await ended;
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async start() {
      const words = [...wordsOf(port, folder), '--bind', '127.0.0.1', '--dir', folder];
      const started = spawn(redis, words, { stdio: ['ignore', 'pipe', 'pipe'] });
      child = started;
      await accepting(started);
    },
    async stop() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/** Resolves when the server's log says that it accepts connections; rejects with the log if it ends before. */
function accepting(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.stdout?.on('data', data => {
      log += String(data);
      if (/Ready to accept connections|Sentinel ID is/.test(log)) resolve();
    });
    child.stderr?.on('data', data => {
      log += String(data);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`redis-server ended: ${log}`)));
  });
}
