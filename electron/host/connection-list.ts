import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  addressOf,
  CONNECTION_COLOURS,
  type ConnectionLabel,
  type ConnectionRecord,
  type ConnectionTarget,
  HOME_CONNECTION,
} from '../../shared/contract/connections.ts';
import { SandglassError } from '../../shared/model/errors.ts';
import { canonicalServer } from '../../shared/model/transport/same-server.ts';
import { isSameFile } from '../engine/files/store-path.ts';
import { errorFields, type Logger } from '../engine/platform/logger.ts';
import { homeLabel } from '../engine/protocol/connection-calls.ts';
import type { HostConnection, HostConnectionOptions } from './connection.ts';
import {
  connectionListFile,
  connectionListText,
  readConnectionList,
  type StoredConnectionList,
  writeConnectionList,
} from './connection-list-file.ts';

export type ListedConnection = Pick<
  HostConnectionOptions,
  'id' | 'target' | 'label' | 'isConfined' | 'isClosed'
>;

export interface ConnectionListOptions {
  /** File of the home store. */
  home: string;
  isMirror: boolean;
  create(listed: ListedConnection): HostConnection;
  log: Logger;
}

/**
 * The connections of a host in their order, stored in a file beside the home store. A change that cannot be stored is
 * undone. A file that could not be read is never overwritten.
 */
export class ConnectionList {
  readonly home: HostConnection;
  readonly #others = new Map<string, HostConnection>();
  /** Ids of the connections that the user closed. */
  readonly #closed = new Set<string>();
  readonly #file: string;
  readonly #unreadable: SandglassError | undefined;
  /** Content of the file when it was last read or written here; null: there was no file. */
  #text: string | null;
  /** True if the user has changed the home store's label. */
  #isHomeLabelled: boolean;

  constructor({ home, isMirror, create, log }: ConnectionListOptions) {
    this.#file = connectionListFile(home);
    const { text, list, unreadable } = read(this.#file);
    this.#text = text;
    this.#unreadable = unreadable;
    if (unreadable !== undefined) log.error('only the home store is opened', errorFields(unreadable));
    this.#isHomeLabelled = list.home !== null;
    const label = list.home ?? homeLabel(home);
    // A missing store has to be created, which a read-only connection cannot do.
    const readOnly = label.readOnly && !isMirror && existsSync(home);
    this.home = create({
      id: HOME_CONNECTION,
      target: { kind: 'file', file: resolve(home) },
      label: { ...label, readOnly },
      isConfined: false,
      isClosed: false,
    });
    for (const { id, target, closed: isClosed, confined: isConfined, ...label } of list.others) {
      this.#others.set(id, create({ id, target, label, isConfined, isClosed }));
      if (isClosed) this.#closed.add(id);
    }
  }

  get all(): HostConnection[] {
    return [this.home, ...this.#others.values()];
  }

  get records(): ConnectionRecord[] {
    return this.all.map(({ record }) => record);
  }

  /** The connections to open with the host, beside home. */
  get toOpen(): HostConnection[] {
    return [...this.#others.values()].filter(({ id }) => !this.#closed.has(id));
  }

  /** Throws CONNECTION_NOT_FOUND. */
  find(id: string): HostConnection {
    const found = id === HOME_CONNECTION ? this.home : this.#others.get(id);
    if (found !== undefined) return found;
    throw new SandglassError('CONNECTION_NOT_FOUND', `There is no connection “${id}”.`, { id });
  }

  /**
   * Throws CONNECTION_EXISTS if another connection than `changed` has this server, by any spelling of its address, or this file under the same name or
   * through a link.
   */
  refuseListed(target: ConnectionTarget, changed?: HostConnection): void {
    const listed = this.all.find(one => one !== changed && isSameTarget(one.target, target));
    if (listed === undefined) return;
    const address = addressOf(target);
    throw new SandglassError(
      'CONNECTION_EXISTS',
      `${address} is connected already, as ${listed.label.name}.`,
      {
        file: address,
        id: listed.id,
      },
    );
  }

  /** Returns the label of a new connection if the user gives none: with the first colour that is not in use. */
  defaultLabel(): Omit<ConnectionLabel, 'name'> {
    const taken = new Set(this.all.map(({ label }) => label.colour));
    const colours = Array.from({ length: CONNECTION_COLOURS }, (_, i) => i + 1);
    const colour = colours.find(one => !taken.has(one)) ?? (this.all.length % CONNECTION_COLOURS) + 1;
    return { colour, environment: 'development', readOnly: false };
  }

  /** Throws CONNECTIONS_UNREADABLE, as every change of the list. */
  add(connection: HostConnection): void {
    this.#others.set(connection.id, connection);
    this.#storeOrUndo(() => this.#others.delete(connection.id));
  }

  remove(connection: HostConnection): void {
    const before = [...this.#others];
    this.#others.delete(connection.id);
    this.#storeOrUndo(() => {
      this.#others.clear();
      for (const [id, one] of before) this.#others.set(id, one);
    });
    this.#closed.delete(connection.id);
  }

  change(
    connection: HostConnection,
    next: Partial<Pick<HostConnection, 'label' | 'target' | 'isConfined'>>,
  ): void {
    const { label, target, isConfined } = connection;
    const wasHomeLabelled = this.#isHomeLabelled;
    Object.assign(connection, next);
    if (connection === this.home) this.#isHomeLabelled = true;
    this.#storeOrUndo(() => {
      Object.assign(connection, { label, target, isConfined });
      this.#isHomeLabelled = wasHomeLabelled;
    });
  }

  setClosed({ id }: HostConnection, isClosed: boolean): void {
    if (this.#closed.has(id) === isClosed) return;
    if (isClosed) this.#closed.add(id);
    else this.#closed.delete(id);
    this.#storeOrUndo(() => (isClosed ? this.#closed.delete(id) : this.#closed.add(id)));
  }

  /**
   * Throws CONNECTIONS_UNREADABLE if the file could not be read, or has changed since: by hand, or by another process
   * that owned the home store before this one.
   */
  checkWritable(): void {
    if (this.#unreadable !== undefined) throw this.#unreadable;
    if (connectionListText(this.#file) === this.#text) return;
    throw new SandglassError(
      'CONNECTIONS_UNREADABLE',
      `The list of connections in ${this.#file} was changed by another program since this Sandglass read it. It is left unchanged: restart Sandglass to load it.`,
      { file: this.#file },
    );
  }

  #storeOrUndo(undo: () => void): void {
    const list: StoredConnectionList = {
      home: this.#isHomeLabelled ? this.home.label : null,
      others: [...this.#others.values()].map(({ id, target, label, isConfined }) => ({
        id,
        ...label,
        target,
        closed: this.#closed.has(id),
        confined: isConfined,
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

function isSameTarget(one: ConnectionTarget, other: ConnectionTarget): boolean {
  if (one.kind === 'file') return other.kind === 'file' && isSameFile(one.file, other.file);
  return other.kind !== 'file' && canonicalServer(one) === canonicalServer(other);
}

function read(file: string): {
  text: string | null;
  list: StoredConnectionList;
  unreadable?: SandglassError;
} {
  let text: string | null = null;
  try {
    text = connectionListText(file);
    return { text, list: readConnectionList(file, text) };
  } catch (error) {
    if (!(error instanceof SandglassError)) throw error;
    return { text, list: { home: null, others: [] }, unreadable: error };
  }
}
