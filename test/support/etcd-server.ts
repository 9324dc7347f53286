import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { findOrInstall } from './debian-program.mjs';
import { freePort } from './free-port.ts';

const PLACES = ['/usr/bin/etcd', '/usr/local/bin/etcd', '/opt/homebrew/bin/etcd'];

function findEtcd(): string | undefined {
  return process.env.SANDGLASS_ETCD ?? PLACES.find(path => existsSync(path));
}

const ETCD = findOrInstall(findEtcd, 'etcd-server');

/** Reason for `runsHere`. */
export const NEEDS_ETCD = ETCD === undefined ? 'needs etcd-server' : undefined;

export interface EtcdServer {
  readonly uri: string;
  /** Kills the server with SIGKILL, so that it writes nothing. */
  kill(): Promise<void>;
  /** Starts it again on the same ports, with the same data. */
  start(): Promise<void>;
}

/** Starts a cluster of one member on free loopback ports, in a folder of its own, for the running test. */
export async function startEtcd(...options: readonly string[]): Promise<EtcdServer> {
  const { server, stop } = await createEtcdServer(...options);
  onTestFinished(stop);
  await server.start();
  return server;
}

/** Starts one server for the tests of a `describe`. */
export function etcdOfSuite(...options: readonly string[]): { readonly uri: string } {
  let running: { server: EtcdServer; stop: () => Promise<void> } | null = null;
  beforeAll(async () => {
    running = await createEtcdServer(...options);
    await running.server.start();
  });
  afterAll(() => running?.stop());
  return {
    get uri() {
      return running?.server.uri ?? '';
    },
  };
}

/** Creates a cluster of one member, which the caller starts and stops. */
export async function createEtcdServer(
  ...options: readonly string[]
): Promise<{ server: EtcdServer; stop(): Promise<void> }> {
  return createEtcd({ options, name: 'one', port: await freePort(), peerPort: await freePort() });
}

export interface EtcdCluster {
  /** Address with every member. */
  readonly uri: string;
  readonly members: readonly EtcdServer[];
}

/** Starts a cluster of several members for the running test. */
export async function startEtcdCluster(size: number, ...options: readonly string[]): Promise<EtcdCluster> {
  const places: { name: string; port: number; peerPort: number }[] = [];
  for (let i = 0; i < size; i++)
    places.push({ name: `member-${i}`, port: await freePort(), peerPort: await freePort() });
  const cluster = places.map(({ name, peerPort }) => `${name}=http://127.0.0.1:${peerPort}`).join(',');
  const all = places.map(place => createEtcd({ ...place, options, cluster }));
  onTestFinished(async () => {
    await Promise.all(all.map(({ stop }) => stop()));
  });
  // A member serves once most of them run.
  await Promise.all(all.map(({ server }) => server.start()));
  return {
    uri: `etcd://${places.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    members: all.map(({ server }) => server),
  };
}

function createEtcd({
  options,
  name,
  port,
  peerPort,
  cluster,
}: {
  options: readonly string[];
  name: string;
  port: number;
  peerPort: number;
  /** All members; absent: this one only. */
  cluster?: string;
}): { server: EtcdServer; stop(): Promise<void> } {
  if (ETCD === undefined) throw new Error('there is no etcd here');
  const etcd = ETCD;
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-etcd-'));
  const clients = `http://127.0.0.1:${port}`;
  const peers = `http://127.0.0.1:${peerPort}`;
  const words = [
    ...['--data-dir', join(folder, 'data'), '--name', name],
    ...['--listen-client-urls', clients, '--advertise-client-urls', clients],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers],
    ...['--initial-cluster', cluster ?? `${name}=${peers}`],
    ...options,
  ];
  let child: ChildProcess | null = null;
  const server: EtcdServer = {
    uri: `etcd://127.0.0.1:${port}`,
    async kill() {
      const running = child;
      child = null;
      if (running === null || running.exitCode !== null) return;
      const ended = new Promise(resolve => running.once('exit', resolve));
      running.kill('SIGKILL');
      await ended;
    },
    async start() {
      child = spawn(etcd, words, { stdio: ['ignore', 'ignore', 'pipe'] });
      await serving(child);
    },
  };
  return {
    server,
    async stop() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves when the server's log says that it serves clients; rejects with the log if it ends before. */
function serving(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.stderr?.on('data', data => {
      log += String(data);
      if (/serving (insecure )?client (requests|traffic)/.test(log)) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`etcd ended: ${log}`)));
  });
}
