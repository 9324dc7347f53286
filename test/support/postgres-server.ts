import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOrInstall } from './debian-program.mjs';
import { freePort } from './free-port.ts';

/** Folders of programs, the latest version of Debian's first. */
function folders(): string[] {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return [
    ...versions.map(version => join(debian, version, 'bin')),
    '/usr/bin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ];
}

function findPostgres(): string | undefined {
  const { SANDGLASS_POSTGRES: given } = process.env;
  return (
    given ?? folders().find(path => existsSync(join(path, 'initdb')) && existsSync(join(path, 'postgres')))
  );
}

interface SystemUser {
  uid: number;
  gid: number;
}

/** User that runs the server: PostgreSQL refuses to run as root. Null: the present user. Undefined: there is none. */
function findServerUser(): SystemUser | null | undefined {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    const uid = idOf('-u', name);
    const gid = idOf('-g', name);
    if (uid !== null && gid !== null) return { uid, gid };
  }
  return undefined;
}

function idOf(kind: '-u' | '-g', name: string): number | null {
  const { status, stdout } = spawnSync('id', [kind, name], { encoding: 'utf8' });
  return status === 0 ? Number(stdout.trim()) : null;
}

const PROGRAMS = process.platform === 'win32' ? undefined : findOrInstall(findPostgres, 'postgresql');
const USER = PROGRAMS === undefined ? undefined : findServerUser();

/** Reason for `runsHere`. */
export const NEEDS_POSTGRES =
  PROGRAMS === undefined
    ? 'needs postgresql'
    : USER === undefined
      ? 'needs a system user other than root for PostgreSQL'
      : undefined;

/** Password of the user `postgres` of a test server. */
export const PASSWORD = 'of-the-test';
/** User that runs a server, other than root; null: the present one. */
export const SERVER_USER = USER ?? null;
/**
 * Folder for files that a server reads: not the temporary folder of the tests if the server has another user, because
 * only theirs may read it.
 */
export const SERVER_FILES = USER === null ? tmpdir() : '/tmp';

export interface PostgresServer {
  readonly port: number;
  /** Address of the superuser, with the password, and of the database `postgres`. */
  readonly uri: string;
  /** Ends the server at once, without a checkpoint, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with the same data. */
  start(): Promise<void>;
  /** Kills the server and deletes its folder. */
  stop(): Promise<void>;
}

/**
 * Makes a cluster in a folder of its own and starts it on a free loopback port, until `stop`. Users log in with a password.
 * `options` are settings, such as `wal_level=logical`.
 */
export function startPostgresServer(...options: readonly string[]): Promise<PostgresServer> {
  return startIn(makeCluster, options);
}

/** Starts a server that replays the changes of another one and accepts none of its own. */
export function startStandby(primary: PostgresServer): Promise<PostgresServer> {
  return startIn((programs, folder, asUser) => {
    const words = ['-D', join(folder, 'data'), '-R', '--checkpoint=fast', '--no-sync', '-d', primary.uri];
    run(join(programs, 'pg_basebackup'), words, asUser);
  }, []);
}

type MakeData = (programs: string, folder: string, asUser: SpawnOptions) => void;

async function startIn(makeData: MakeData, options: readonly string[]): Promise<PostgresServer> {
  if (PROGRAMS === undefined || USER === undefined) throw new Error('there is no PostgreSQL here');
  const programs = PROGRAMS;
  const folder = mkdtempSync(join(SERVER_FILES, 'sandglass-postgres-'));
  const asUser: SpawnOptions = { cwd: folder, ...(USER === null ? {} : { uid: USER.uid, gid: USER.gid }) };
  if (USER !== null) chownSync(folder, USER.uid, USER.gid);
  const port = await freePort();
  makeData(programs, folder, asUser);
  let child: ChildProcess | null = null;
  const server: PostgresServer = {
    port,
    uri: `postgresql://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
    async kill() {
      const running = child;
      child = null;
      if (running === null || running.exitCode !== null) return;
      const ended = new Promise(resolve => running.once('exit', resolve));
      // SIGQUIT ends the processes of the sessions too; after SIGKILL they would prevent the next start for a while.
      running.kill('SIGQUIT');
      await ended;
    },
    async start() {
      const settings = [`port=${port}`, ...SETTINGS, ...options].flatMap(setting => ['-c', setting]);
      const words = ['-D', join(folder, 'data'), ...settings];
      const started = spawn(join(programs, 'postgres'), words, {
        ...asUser,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
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

/** Makes a file the server's own, as it requires of the key of its certificate. */
export function giveToServer(file: string): void {
  if (USER) chownSync(file, USER.uid, USER.gid);
}

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'shared_buffers=32MB',
  'log_timezone=UTC',
  'timezone=UTC',
];

/**
 * Folder for a cluster that every server of this run is copied from, made by test/run.mjs; undefined: each is made anew.
 * A copy takes a tenth of the CPU.
 */
const { SANDGLASS_POSTGRES_TEMPLATE: TEMPLATE } = process.env;

function makeCluster(programs: string, folder: string, asUser: SpawnOptions): void {
  const data = join(folder, 'data');
  const template = TEMPLATE === undefined ? undefined : join(TEMPLATE, 'data');
  if (template !== undefined && existsSync(template)) {
    run('cp', ['-a', template, data], asUser);
    return;
  }
  initCluster(programs, folder, asUser);
  if (TEMPLATE === undefined || template === undefined) return;
  if (USER) chownSync(TEMPLATE, USER.uid, USER.gid);
  const copy = `${template}-${process.pid}`;
  run('cp', ['-a', data, copy], asUser);
  try {
    renameSync(copy, template);
  } catch (error) {
    // Another process was first.
    if (!existsSync(template)) throw error;
    rmSync(copy, { recursive: true, force: true });
  }
}

function initCluster(programs: string, folder: string, asUser: SpawnOptions): void {
  const passwordFile = join(folder, 'password');
  // Removed with the folder.
  writeFileSync(passwordFile, PASSWORD, { mode: 0o644 });
  const place = ['-D', join(folder, 'data'), '--username=postgres', '--auth=scram-sha-256'];
  const words = [...place, `--pwfile=${passwordFile}`, '--encoding=UTF8', '--locale=C', '--no-sync'];
  run(join(programs, 'initdb'), words, asUser);
}

function run(program: string, words: readonly string[], asUser: SpawnOptions): void {
  const { status, stderr } = spawnSync(program, words, {
    ...asUser,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${program} ended: ${stderr}`);
}

/** Resolves when the server's log says that it accepts connections; rejects with the log if it ends before. */
function accepting(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.stderr?.on('data', data => {
      log += String(data);
      if (/database system is ready to accept (read-only )?connections/.test(log)) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`postgres ended: ${log}`)));
  });
}
