import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  CONNECTION_COLOURS,
  type ConnectionLabel,
  type ConnectionRecord,
  HOME_CONNECTION,
} from '../../shared/contract/connections.ts';
import { SandglassError } from '../../shared/model/errors.ts';
import type { HeldStore, HeldStoreNeeds } from './held-store.ts';
import {
  type ConnectionList,
  connectionListFile,
  readConnectionList,
  writeConnectionList,
} from './platform/connection-list.ts';
import { homeLabel } from './platform/connections.ts';
import { errorFields, type Logger } from './platform/logger.ts';
import { isSamePlace } from './platform/store-place.ts';

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
  /** Somebody said something of the home store. */
  #isHomeNamed: boolean;

  constructor({ home, isMirror, hold, log }: StoreBookNeeds) {
    this.#file = connectionListFile(home);
    const { list, broken } = readOrRefuse(this.#file);
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

  /** Throws CONNECTIONS_UNREADABLE where the list could not be read, and so must not be written. */
  checkWritable(): void {
    if (this.#broken !== undefined) throw this.#broken;
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
      writeConnectionList(this.#file, list);
    } catch (error) {
      undo();
      throw error;
    }
  }
}

function readOrRefuse(file: string): { list: ConnectionList; broken?: SandglassError } {
  try {
    return { list: readConnectionList(file) };
  } catch (error) {
    if (!(error instanceof SandglassError)) throw error;
    return { list: { home: null, others: [] }, broken: error };
  }
}
