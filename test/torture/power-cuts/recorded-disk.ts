import { dirname } from 'node:path';
import type { Random } from '../../support/random.ts';
import { type ByteChange, FileBytes } from './file-bytes.ts';
import type { RecordedCall } from './recording.ts';

/**
 * `posix`: a name is durable after a sync of its folder, and unsynced names appear in any order. `ordered`: as ext4 with
 * `data=ordered`: names appear in their order, every sync makes the earlier ones durable, and a file has no size that its
 * data does not fill.
 */
export type FileSystem = 'posix' | 'ordered';

/** Fate of what is not synced. `zeros`: the file has its new size, and zeros in place of the data. */
export const FATES = ['dropped', 'kept', 'half', 'torn', 'reordered', 'zeros'] as const;
export type Fate = (typeof FATES)[number];

type Timed<Change> = Change & { readonly began: number; readonly ended: number };

/** A file as the disk has it, and the changes that no sync has covered. */
interface File {
  readonly durable: FileBytes;
  pending: Timed<ByteChange>[];
}

type Entry = File | 'folder';
type NameChange = {
  readonly path: string;
  /** Undefined: the name is removed. */
  readonly entry: Entry | undefined;
  /** Former path, in a rename. */
  readonly from?: string | undefined;
};

/** A disk on which the recorded calls are made one by one, and which can be cut off from power after each of them. */
export class RecordedDisk {
  readonly #fileSystem: FileSystem;
  /** Names as the running process sees them. */
  readonly #names = new Map<string, Entry>();
  readonly #durableNames = new Map<string, Entry>();
  readonly #isIgnored: (path: string) => boolean;
  #pendingNames: Timed<NameChange>[] = [];

  /** `files`: on the disk from the beginning. `isIgnored`: syncs of these paths do nothing, as of a broken disk. */
  constructor(
    fileSystem: FileSystem,
    files: ReadonlyMap<string, Buffer>,
    folder: string,
    isIgnored: (path: string) => boolean = () => false,
  ) {
    this.#fileSystem = fileSystem;
    this.#isIgnored = isIgnored;
    for (const names of [this.#names, this.#durableNames]) names.set(folder, 'folder');
    for (const [path, bytes] of files) {
      const file: File = { durable: new FileBytes(bytes), pending: [] };
      for (const names of [this.#names, this.#durableNames]) names.set(path, file);
    }
  }

  /** To be called when the call began; a sync takes effect in `synced`, when it ended. */
  make(call: RecordedCall): void {
    const { began, ended } = call;
    switch (call.kind) {
      case 'open': {
        const found = this.#names.get(call.path);
        if (found === undefined)
          this.#rename({ path: call.path, entry: { durable: new FileBytes(), pending: [] }, began, ended });
        else if (call.truncates && found !== 'folder')
          found.pending.push({ kind: 'truncate', size: 0, began, ended });
        break;
      }
      case 'write':
      case 'truncate':
        this.#file(call.path).pending.push(call);
        break;
      case 'append': {
        const file = this.#file(call.path);
        file.pending.push({ kind: 'write', at: written(file, 'kept').size, bytes: call.bytes, began, ended });
        break;
      }
      case 'mkdir':
        this.#rename({ path: call.path, entry: 'folder', began, ended });
        break;
      case 'rmdir':
      case 'unlink':
        this.#rename({ path: call.path, entry: undefined, began, ended });
        break;
      case 'link':
      case 'rename': {
        const entry = this.#file(call.path);
        const from = call.kind === 'rename' ? call.path : undefined;
        this.#rename({ path: call.to, entry, from, began, ended });
        break;
      }
      case 'sync':
      case 'said':
        break;
    }
  }

  /** A sync covers the changes that ended before it began. */
  synced({ path, began }: { path: string; began: number }): void {
    if (this.#isIgnored(path)) return;
    const entry = this.#names.get(path);
    if (entry !== undefined && entry !== 'folder') {
      entry.pending = entry.pending.filter(change => {
        if (change.ended < began) entry.durable.apply(change);
        return change.ended >= began;
      });
    }
    this.#pendingNames = this.#pendingNames.filter(change => {
      const isCovered =
        change.ended < began &&
        (this.#fileSystem === 'ordered' || (entry === 'folder' && dirname(change.path) === path));
      if (isCovered) applyName(this.#durableNames, change);
      return !isCovered;
    });
  }

  /** Returns the files that the disk has after a power cut at this moment. */
  afterCut(random: Random, fate: () => Fate): Map<string, Buffer> {
    const { names, flushed } = this.#namesAfterCut(random, fate());
    const files = new Map<string, Buffer>();
    for (const [path, entry] of names) {
      if (entry === 'folder' || !isReachable(names, path)) continue;
      const ownFate = flushed.has(entry) ? 'kept' : fate();
      const bytes =
        this.#fileSystem === 'posix'
          ? written(entry, ownFate, random)
          : writtenInOrder(entry, ownFate, random);
      files.set(path, bytes.content);
    }
    return files;
  }

  #namesAfterCut(random: Random, fate: Fate): { names: Map<string, Entry>; flushed: Set<Entry> } {
    const names = new Map(this.#durableNames);
    const flushed = new Set<Entry>();
    const changes = this.#pendingNames;
    if (fate === 'dropped') return { names, flushed };
    const isPrefix = this.#fileSystem === 'ordered' || fate === 'torn';
    const count = isPrefix && fate !== 'kept' ? random.between(0, changes.length) : changes.length;
    for (const change of changes.slice(0, count)) {
      if (!isPrefix && fate !== 'kept' && random.chance(0.5)) continue;
      // ext4 writes the data of a file before it gives it the name of another one.
      if (change.from !== undefined && change.entry !== undefined) flushed.add(change.entry);
      applyName(names, change);
    }
    return { names, flushed: this.#fileSystem === 'ordered' ? flushed : new Set() };
  }

  #rename(change: Timed<NameChange>): void {
    applyName(this.#names, change);
    this.#pendingNames.push(change);
  }

  #file(path: string): File {
    const entry = this.#names.get(path);
    if (entry === undefined || entry === 'folder') throw new Error(`the trace has no file ${path}`);
    return entry;
  }
}

function applyName(names: Map<string, Entry>, { path, entry, from }: NameChange): void {
  if (from !== undefined && names.get(from) === entry) names.delete(from);
  if (entry === undefined) names.delete(path);
  else names.set(path, entry);
}

function written({ durable, pending }: File, fate: Fate, random?: Random): FileBytes {
  const bytes = durable.copy();
  if (fate === 'dropped' || pending.length === 0) return bytes;
  if (random === undefined || fate === 'kept') {
    for (const change of pending) bytes.apply(change);
  } else if (fate === 'torn') {
    for (const change of pending) bytes.applyTorn(change, random);
  } else if (fate === 'zeros') {
    for (const change of pending) {
      const end =
        change.kind === 'truncate' ? change.size : Math.max(bytes.size, change.at + change.bytes.length);
      bytes.resize(end);
    }
  } else {
    const chosen = pending.filter(() => random.chance(0.5));
    if (fate === 'reordered') shuffle(chosen, random);
    for (const change of chosen) bytes.apply(change);
  }
  return bytes;
}

/** As `written`, but what lies beyond the synced size is there up to some change, and not after it. */
function writtenInOrder(file: File, fate: Fate, random: Random): FileBytes {
  const { durable, pending } = file;
  const isExtending = (change: ByteChange) =>
    change.kind === 'truncate' || change.at + change.bytes.length > durable.size;
  const extending = pending.filter(isExtending);
  const through =
    fate === 'kept' ? extending.length : fate === 'dropped' ? 0 : random.between(0, extending.length);
  const lost = new Set(extending.slice(through));
  const bytes = written(
    { durable, pending: pending.filter(change => !isExtending(change)) },
    fate === 'zeros' ? 'half' : fate,
    random,
  );
  for (const change of extending) if (!lost.has(change)) bytes.apply(change);
  return bytes;
}

function shuffle<Item>(items: Item[], random: Random): void {
  for (let last = items.length - 1; last > 0; last--) {
    const [item] = items.splice(random.between(0, last), 1);
    if (item !== undefined) items.push(item);
  }
}

/** Whether every folder on the way to a path has a name. */
function isReachable(names: ReadonlyMap<string, Entry>, path: string): boolean {
  const folder = dirname(path);
  if (names.get(folder) !== 'folder') return false;
  return names.get(dirname(folder)) === undefined || isReachable(names, folder);
}
