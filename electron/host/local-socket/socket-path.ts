import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A socket's address holds 104 to 108 bytes, its end included; a folder this long leaves room for a name. */
const LONGEST_FOLDER = 70;
const NAME = /^[0-9]+-[0-9a-f]{8}\.sock$/;

/**
 * A fresh place for a door: a socket in a folder that only its owner may enter, or a named pipe on Windows, whose
 * rights are its maker's. Throws where the folder is somebody else's.
 */
export function newDoorPath(): string {
  const name = `${process.pid}-${randomBytes(4).toString('hex')}`;
  return process.platform === 'win32'
    ? `\\\\.\\pipe\\sandglass-${name}`
    : join(privateFolder(), `${name}.sock`);
}

/** In the system's folder for temporary files: beside a store the path may be too long, or on a disk without sockets. */
function privateFolder(): string {
  const uid = process.getuid?.() ?? 0;
  const inSystems = join(tmpdir(), `sandglass-${uid}`);
  const folder = Buffer.byteLength(inSystems) <= LONGEST_FOLDER ? inSystems : `/tmp/sandglass-${uid}`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  // Anybody may make that folder first, and then wait in it for what is meant for us.
  if (!found.isDirectory() || found.uid !== uid)
    throw new Error(`${folder} is not yours; remove it, or set TMPDIR.`);
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  return folder;
}

/**
 * Throws unless a socket that somebody named is ours: a socket of this user in a folder that only this user may enter.
 * Anybody could answer behind another, and be told what is meant for the store. With ENOENT where there is none.
 */
export function checkDoorIsOurs(path: string): void {
  const uid = process.getuid?.();
  if (uid === undefined) return;
  const socket = lstatSync(path);
  const folder = lstatSync(dirname(path));
  const isOurs =
    socket.isSocket() &&
    socket.uid === uid &&
    folder.isDirectory() &&
    folder.uid === uid &&
    (folder.mode & 0o077) === 0;
  if (!isOurs) throw new Error(`${path} is no socket that only you can reach, so it is not used.`);
}

/** Removes the sockets that nobody listens on any more: their owners died without a word. */
export async function removeStaleDoors(): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = privateFolder();
  const names = readdirSync(folder).filter(name => NAME.test(name));
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
