import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { findOrInstall } from './debian-program.mjs';
import { freePort } from './free-port.ts';

const PLACES = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'];

const SSHD =
  process.platform === 'win32'
    ? undefined
    : findOrInstall(
        () => process.env.SANDGLASS_SSHD ?? PLACES.find(path => existsSync(path)),
        'openssh-server',
      );
const KEYGEN = spawnSync('ssh-keygen', ['-?']).error === undefined;

/** Reason for `runsHere`. */
export const NEEDS_SSHD = SSHD === undefined || !KEYGEN ? 'needs openssh-server' : undefined;

export interface SshServer {
  readonly host: string;
  readonly port: number;
  /** The user that runs the tests. */
  readonly user: string;
  /** Private key that may log in. */
  readonly key: string;
  /** Writes a file of known hosts with the server's key, or with other text, and returns its path. */
  knownHosts(text?: string): string;
  /** The server's line in a file of known hosts. */
  readonly knownHost: string;
  /** Ends the server and all its connections at once. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** Ends the server and deletes its folder. */
  stop(): Promise<void>;
}

/** Starts an SSH server on a free loopback port, in a folder of its own, until `stop`. `options` are lines of its configuration. */
export async function startSshServer(...options: readonly string[]): Promise<SshServer> {
  if (SSHD === undefined) throw new Error('there is no sshd here');
  const sshd = SSHD;
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-ssh-'));
  const port = await freePort();
  const hostKey = makeKey(folder, 'host');
  const key = makeKey(folder, 'client');
  const configuration = join(folder, 'sshd_config');
  writeFileSync(
    configuration,
    [
      // sshd uses the first of two lines of one setting.
      ...options,
      `HostKey ${hostKey}`,
      `AuthorizedKeysFile ${key}.pub`,
      ...['ListenAddress 127.0.0.1', 'PermitRootLogin yes', 'PasswordAuthentication no'],
      ...['UsePAM no', 'StrictModes no', 'PidFile none'],
      '',
    ].join('\n'),
  );
  // As root the server needs the folder that Debian's service makes.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const [type = '', text = ''] = readFileSync(`${hostKey}.pub`, 'utf8').split(' ');
  const knownHost = `[127.0.0.1]:${port} ${type} ${text}\n`;
  let child: ChildProcess | null = null;
  let files = 0;
  const server: SshServer = {
    host: '127.0.0.1',
    port,
    user: userInfo().username,
    key,
    knownHost,
    knownHosts(content = knownHost) {
      const file = join(folder, `known_hosts-${++files}`);
      writeFileSync(file, content);
      return file;
    },
    async kill() {
      const running = child;
      child = null;
      if (running?.pid === undefined || running.exitCode !== null) return;
      const ended = new Promise(resolve => running.once('exit', resolve));
      for (const pid of [running.pid, ...descendants(running.pid)]) killIfRunning(pid);
      await ended;
    },
    async start() {
      child = spawn(sshd, ['-D', '-e', '-f', configuration, '-p', String(port)], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      await listening(child);
    },
    async stop() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/** Each connection is a process of its own, and in a session of its own. */
function descendants(parent: number): number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  const processes = stdout.split('\n').map(line => line.trim().split(/\s+/).map(Number));
  const childrenOf = (of: number): number[] =>
    processes.flatMap(([pid = 0, ppid]) => (ppid === of ? [pid, ...childrenOf(pid)] : []));
  return childrenOf(parent);
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It ended meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Makes a key pair of Ed25519 in a folder and returns the path of the private one. */
export function makeKey(folder: string, name: string, passphrase = ''): string {
  const file = join(folder, name);
  const words = ['-q', '-t', 'ed25519', '-N', passphrase, '-C', name, '-f', file];
  const { status, stderr } = spawnSync('ssh-keygen', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ssh-keygen ended: ${stderr}`);
  return file;
}

/** Resolves when the server's log says that it listens; rejects with the log if it ends before. */
function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.stderr?.on('data', data => {
      log += String(data);
      if (/Server listening on/.test(log)) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`sshd ended: ${log}`)));
  });
}
