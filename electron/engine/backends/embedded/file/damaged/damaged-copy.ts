import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { SandglassError } from '../../../../../../shared/model/errors.ts';
import { diskBytes, diskFull } from '../../../../files/file-system-space.ts';
import { createPrivate } from '../../../../files/private-file.ts';
import type { FileWorkOptions } from '../../../backend.ts';
import { APPLICATION_ID, MIGRATIONS } from '../migrate.ts';

const BLOCK = 1024 * 1024;
/** The smallest part that a disk reads or fails to read. */
const SECTOR = 4_096;
const PAGE_SIZE = 4_096;

/**
 * Copies a store and its log for reading what they still hold; neither is changed. Parts that the disk cannot read are
 * zeros in the copy, and the head of a file that is no database any more is written again. Returns the bytes that could not be
 * read. Throws STORE_UNREADABLE if there is no file, DISK_FULL, CANCELLED.
 */
export async function copyDamaged(file: string, copy: string, options: FileWorkOptions): Promise<number> {
  const bytes = await sizeOf(file);
  if (bytes === null) throw new SandglassError('STORE_UNREADABLE', `There is no file ${basename(file)}.`);
  const logBytes = (await sizeOf(`${file}-wal`)) ?? 0;
  if (diskBytes(copy).free < bytes + logBytes) throw diskFull(copy, bytes + logBytes);
  let done = 0;
  const read = (more: number) => {
    done += more;
    options.onProgress?.(done, bytes + logBytes);
  };
  let lost = await copyFile(file, copy, options.signal, read);
  if (logBytes > 0) lost += await copyFile(`${file}-wal`, `${copy}-wal`, options.signal, read);
  await mendHead(copy, bytes);
  return lost;
}

async function sizeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

async function copyFile(
  from: string,
  to: string,
  signal: AbortSignal,
  onRead: (bytes: number) => void,
): Promise<number> {
  createPrivate(to);
  await using source = await open(from, 'r');
  await using target = await open(to, 'r+');
  await target.truncate(0);
  const { size } = await source.stat();
  let lost = 0;
  for (let at = 0; at < size; at += BLOCK) {
    if (signal.aborted) throw new SandglassError('CANCELLED', 'The recovery was cancelled.');
    const length = Math.min(BLOCK, size - at);
    const block = await readPart(source, at, length);
    if (block !== null) await target.write(block, 0, block.length, at);
    else lost += await copySectors(source, target, at, length);
    onRead(length);
  }
  // Parts that could not be read at the end of the file.
  await target.truncate(size);
  return lost;
}

async function copySectors(
  source: FileHandle,
  target: FileHandle,
  from: number,
  length: number,
): Promise<number> {
  let lost = 0;
  for (let at = from; at < from + length; at += SECTOR) {
    const size = Math.min(SECTOR, from + length - at);
    const sector = await readPart(source, at, size);
    if (sector === null) lost += size;
    else await target.write(sector, 0, sector.length, at);
  }
  return lost;
}

/** Returns null where the disk cannot read. */
async function readPart(source: FileHandle, at: number, length: number): Promise<Buffer | null> {
  const part = Buffer.alloc(length);
  try {
    const { bytesRead } = await source.read(part, 0, length, at);
    return part.subarray(0, bytesRead);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EIO') return null;
    throw error;
  }
}

const MAGIC = Buffer.from('SQLite format 3\0', 'latin1');
/** Bytes 16 to 23 of each store: page size, write-ahead log for reading and writing, no reserved bytes, payload fractions. */
const FORMAT = Buffer.from([PAGE_SIZE >> 8, PAGE_SIZE & 0xff, 2, 2, 0, 64, 32, 32]);

/** Writes the constant fields of a store's head (https://sqlite.org/fileformat2.html, 1.3) where they are damaged. */
async function mendHead(copy: string, bytes: number): Promise<void> {
  await using target = await open(copy, 'r+');
  const head = Buffer.alloc(100);
  await target.read(head, 0, head.length, 0);
  const isWhole =
    head.subarray(0, 16).equals(MAGIC) &&
    head.subarray(16, 24).equals(FORMAT) &&
    head.readUInt32BE(68) === APPLICATION_ID &&
    head.readUInt32BE(60) <= MIGRATIONS.length;
  if (isWhole) return;
  MAGIC.copy(head, 0);
  FORMAT.copy(head, 16);
  head.writeUInt32BE(Math.floor(bytes / PAGE_SIZE), 28);
  // No list of free pages but one page in it, so that it counts as lost; format 4 of the schema, text in UTF-8, no incremental vacuum.
  for (const [at, value] of [
    [32, 0],
    [36, 1],
    [44, 4],
    [52, 0],
    [56, 1],
    [64, 0],
    [68, APPLICATION_ID],
  ] as const)
    head.writeUInt32BE(value, at);
  const version = head.readUInt32BE(60);
  if (version === 0 || version > MIGRATIONS.length) head.writeUInt32BE(MIGRATIONS.length, 60);
  // The size in the head counts only if these two are equal.
  head.copy(head, 92, 24, 28);
  await target.write(head, 0, head.length, 0);
}
