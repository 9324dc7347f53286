import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findOrInstall } from './debian-program.mjs';
import { freePort } from './free-port.ts';
import { NEEDS_POSTGRES, PASSWORD, type PostgresServer, SERVER_USER } from './postgres-server.ts';

const PROGRAMS = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'];
const PROGRAM =
  NEEDS_POSTGRES === undefined
    ? findOrInstall(() => PROGRAMS.find(path => existsSync(path)), 'pgbouncer')
    : undefined;

/** Reason for `runsHere`. */
export const NEEDS_PGBOUNCER = NEEDS_POSTGRES ?? (PROGRAM === undefined ? 'needs pgbouncer' : undefined);

/** Starts a pooler before a server, until the end of the test. Returns the address through it. */
export async function startPgBouncer(
  server: PostgresServer,
  mode: 'session' | 'transaction',
): Promise<string> {
  if (PROGRAM === undefined) throw new Error('there is no PgBouncer here');
  const port = await freePort();
  const folder = mkdtempSync('/tmp/sandglass-pgbouncer-');
  const file = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users.txt');
  writeFileSync(users, `"postgres" "${PASSWORD}"\n`);
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = ${mode === 'session' ? 20 : 3}
`,
  );
  if (SERVER_USER !== null)
    for (const path of [folder, file, users]) chownSync(path, SERVER_USER.uid, SERVER_USER.gid);
  const child = spawn(PROGRAM, [file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(SERVER_USER !== null && { uid: SERVER_USER.uid, gid: SERVER_USER.gid }),
  });
  onTestFinished(async () => {
    const ended = new Promise(resolve => child.once('exit', resolve));
    if (child.exitCode === null && child.kill('SIGKILL')) await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await new Promise<void>((resolve, reject) => {
    let log = '';
    child.stderr.on('data', data => {
      log += String(data);
      if (/process up/.test(log)) resolve();
    });
    child.once('exit', () => reject(new Error(`pgbouncer ended: ${log}`)));
  });
  return server.uri.replace(`:${server.port}/`, `:${port}/`);
}
