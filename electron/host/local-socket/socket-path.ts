import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A socket path has at most 104 to 108 bytes with its final zero, by system; this leaves room for the name. */
const LONGEST_FOLDER_BYTES = 70;
const SOCKET_NAME = /^[0-9]+-[0-9a-f]{8}\.sock$/;

/**
 * Returns an unused socket path in a folder that only this user may enter; on Windows a named pipe, which by default
 * only its creator may open. Throws if the folder belongs to another user.
 */
export function newSocketPath(): string {
  const name = `${process.pid}-${randomBytes(4).toString('hex')}`;
  return process.platform === 'win32'
    ? `\\\\.\\pipe\\sandglass-${name}`
    : join(privateFolder(), `${name}.sock`);
}

/**
 * Returns a folder in the system's temporary folder: beside a store, the path may be too long, or the file system may
 * not support sockets.
 */
function privateFolder(): string {
  const uid = process.getuid?.() ?? 0;
  const inTemporary = join(tmpdir(), `sandglass-${uid}`);
  const folder =
    Buffer.byteLength(inTemporary) <= LONGEST_FOLDER_BYTES ? inTemporary : `/tmp/sandglass-${uid}`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  // Another user could create the folder first, and listen in it.
  if (!found.isDirectory() || found.uid !== uid)
    throw new Error(`${folder} belongs to another user; remove it, or set TMPDIR.`);
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  return folder;
}

/**
 * Throws unless `path`, as an owner file names it, is a socket of this user in a folder that only this user may enter:
 * another user could listen anywhere else, and receive the store's documents. Throws ENOENT if there is no socket.
 */
export function checkSocketIsPrivate(path: string): void {
  const uid = process.getuid?.();
  if (uid === undefined) return;
  const socket = lstatSync(path);
  const folder = lstatSync(dirname(path));
  const isPrivate =
    socket.isSocket() &&
    socket.uid === uid &&
    folder.isDirectory() &&
    folder.uid === uid &&
    (folder.mode & 0o077) === 0;
  if (!isPrivate) throw new Error(`${path} is not a socket that only you can reach, so it is not used.`);
}

/** Removes the sockets of processes that were killed. */
export async function removeStaleSockets(): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = privateFolder();
  const names = readdirSync(folder).filter(name => SOCKET_NAME.test(name));
  await Promise.all(names.map(name => removeIfStale(join(folder, name))));
}

function removeIfStale(path: string): Promise<void> {
  return new Promise(resolve => {
    const socket = connect(path);
    socket.once('connect', () => socket.destroy());
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') rmSync(path, { force: true });
    });
    socket.once('close', () => resolve());
  });
}
