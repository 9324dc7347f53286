import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  CONNECTION_COLOURS,
  type ConnectionLabel,
  type ConnectionRecord,
  HOME_CONNECTION,
} from '../../shared/contract/connections.ts';
import { SandglassError } from '../../shared/model/errors.ts';
import { isSamePlace } from '../engine/files/store-path.ts';
import { errorFields, type Logger } from '../engine/platform/logger.ts';
import { homeLabel } from '../engine/protocol/connection-calls.ts';
import type { HeldStore, HeldStoreNeeds } from './connection.ts';
import {
  type ConnectionList,
  connectionListFile,
  connectionListText,
  readConnectionList,
  writeConnectionList,
} from './connection-list-file.ts';

export type HeldOne = Pick<HeldStoreNeeds, 'id' | 'file' | 'label' | 'isClosed'>;

export interface StoreBookNeeds {
  home: string;
  isMirror: boolean;
  hold(store: HeldOne): HeldStore;
  log: Logger;
}

/**
 * Which stores a host has, in order, and what is kept of that in the file beside the home store. A change that cannot be
 * kept is not made. What the file held when it could not be read is not written over.
 */
export class StoreBook {
  readonly home: HeldStore;
  readonly #others = new Map<string, HeldStore>();
  /** Those that the person closed. */
  readonly #closed = new Set<string>();
  readonly #file: string;
  readonly #broken: SandglassError | undefined;
  /** What the file held when it was last read or written here; null: there was none. */
  #text: string | null;
  /** Somebody said something of the home store. */
  #isHomeNamed: boolean;

  constructor({ home, isMirror, hold, log }: StoreBookNeeds) {
    this.#file = connectionListFile(home);
    const { text, list, broken } = readOrRefuse(this.#file);
    this.#text = text;
    this.#broken = broken;
    if (broken !== undefined) log.error('only the home store is opened', errorFields(broken));
    this.#isHomeNamed = list.home !== null;
    const label = list.home ?? homeLabel(home);
    // One that is not there (any more) has nothing to keep from changing, and has to be made.
    const readOnly = label.readOnly && !isMirror && existsSync(home);
    this.home = hold({
      id: HOME_CONNECTION,
      file: resolve(home),
      label: { ...label, readOnly },
      isClosed: false,
    });
    for (const { id, target, closed: isClosed, ...given } of list.others) {
      this.#others.set(id, hold({ id, file: target.file, label: given, isClosed }));
      if (isClosed) this.#closed.add(id);
    }
  }

  get all(): HeldStore[] {
    return [this.home, ...this.#others.values()];
  }

  get records(): ConnectionRecord[] {
    return this.all.map(({ record }) => record);
  }

  /** Those that are to be opened beside the home store. */
  get toOpen(): HeldStore[] {
    return [...this.#others.values()].filter(({ id }) => !this.#closed.has(id));
  }

  /** Throws CONNECTION_NOT_FOUND. */
  find(id: string): HeldStore {
    const found = id === HOME_CONNECTION ? this.home : this.#others.get(id);
    if (found !== undefined) return found;
    throw new SandglassError('CONNECTION_NOT_FOUND', `There is no connection “${id}”.`, { id });
  }

  /** Throws CONNECTION_EXISTS where a file is one of them, by whichever name. */
  refuseKnown(place: string): void {
    const known = this.all.find(({ file }) => isSamePlace(file, place));
    if (known === undefined) return;
    throw new SandglassError('CONNECTION_EXISTS', `${place} is connected already, as ${known.label.name}.`, {
      file: place,
      id: known.id,
    });
  }

  /** What a further one is marked with unless somebody says otherwise. */
  usualLabel(): Omit<ConnectionLabel, 'name'> {
    const taken = new Set(this.all.map(({ label }) => label.colour));
    const colours = Array.from({ length: CONNECTION_COLOURS }, (_, i) => i + 1);
    const colour = colours.find(one => !taken.has(one)) ?? (this.all.length % CONNECTION_COLOURS) + 1;
    return { colour, environment: 'development', readOnly: false };
  }

  /** Throws CONNECTIONS_UNREADABLE, as all that follow. */
  add(store: HeldStore): void {
    this.#others.set(store.id, store);
    this.#keepOr(() => this.#others.delete(store.id));
  }

  forget(store: HeldStore): void {
    const before = [...this.#others];
    this.#others.delete(store.id);
    this.#keepOr(() => {
      this.#others.clear();
      for (const [id, one] of before) this.#others.set(id, one);
    });
    this.#closed.delete(store.id);
  }

  setLabel(store: HeldStore, label: ConnectionLabel): void {
    const [before, wasHomeNamed] = [store.label, this.#isHomeNamed];
    store.label = label;
    if (store === this.home) this.#isHomeNamed = true;
    this.#keepOr(() => {
      store.label = before;
      this.#isHomeNamed = wasHomeNamed;
    });
  }

  setClosed({ id }: HeldStore, isClosed: boolean): void {
    if (this.#closed.has(id) === isClosed) return;
    if (isClosed) this.#closed.add(id);
    else this.#closed.delete(id);
    this.#keepOr(() => (isClosed ? this.#closed.delete(id) : this.#closed.add(id)));
  }

  /**
   * Throws CONNECTIONS_UNREADABLE where the list could not be read, and so must not be written; also where somebody else
   * changed it since: a person by hand, or who had the home store between its being read and being ours.
   */
  checkWritable(): void {
    if (this.#broken !== undefined) throw this.#broken;
    if (connectionListText(this.#file) === this.#text) return;
    throw new SandglassError(
      'CONNECTIONS_UNREADABLE',
      `The list of connections in ${this.#file} was changed by somebody else since this Sandglass read it. It was left as it is: start Sandglass again to take that up.`,
      { file: this.#file },
    );
  }

  #keepOr(undo: () => void): void {
    const list: ConnectionList = {
      home: this.#isHomeNamed ? this.home.label : null,
      others: [...this.#others.values()].map(({ id, file, label }) => ({
        id,
        ...label,
        target: { kind: 'file', file },
        closed: this.#closed.has(id),
      })),
    };
    try {
      this.checkWritable();
      this.#text = writeConnectionList(this.#file, list);
    } catch (error) {
      undo();
      throw error;
    }
  }
}

function readOrRefuse(file: string): { text: string | null; list: ConnectionList; broken?: SandglassError } {
  let text: string | null = null;
  try {
    text = connectionListText(file);
    return { text, list: readConnectionList(file, text) };
  } catch (error) {
    if (!(error instanceof SandglassError)) throw error;
    return { text, list: { home: null, others: [] }, broken: error };
  }
}
