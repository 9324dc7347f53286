import { randomBytes } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import {
  addressOf,
  type ConnectionChange,
  type ConnectionRecord,
  HOME_CONNECTION,
  type NewConnection,
  type ServerSecrets,
  type TargetWithSecrets,
} from '../../shared/contract/connections.ts';
import { SandglassError } from '../../shared/model/errors.ts';
import type { Caller } from '../engine/access/caller.ts';
import type { AllowedServers } from '../engine/access/server-address.ts';
import type { EngineHost, StoreStart } from '../engine/client.ts';
import { writeOwner } from '../engine/files/owner-file.ts';
import { realFile } from '../engine/files/store-path.ts';
import type { Clock } from '../engine/platform/clock.ts';
import type { Logger } from '../engine/platform/logger.ts';
import type { ConnectionCall, ConnectionsHost } from '../engine/protocol/connection-calls.ts';
import { ChangeQueue } from './change-queue.ts';
import { type ConnectionStart, HostConnection, type LocalSockets } from './connection.ts';
import { changedLabel } from './connection-label.ts';
import { ConnectionList, type ListedConnection } from './connection-list.ts';
import type { ConnectionSecrets } from './connection-secrets.ts';
import { missingStore, refusedTarget, resolved } from './connection-target.ts';
import { mirrorFileOf, removeMirror } from './mirror-files.ts';
import { TargetChecks } from './target-checks.ts';

/** Longest time that an answer waits for a store to open. A migration that takes longer continues after the answer. */
const ANSWER_WITHIN_MS = 10_000;

/** Arguments to start the engine of one connection on its store. */
export interface StoreConnectionStart
  extends Omit<ConnectionStart, 'target' | 'secrets' | 'isConfined' | 'wasOpen'> {
  readonly store: StoreStart;
}

export interface HostConnectionsOptions {
  /** The store that Sandglass is started on; the list of the others is kept beside it. */
  home: string;
  /** True if the home store mirrors a leader and is read-only [V5]. */
  isMirror?: boolean;
  /** Starts an engine and connects it to `host`. */
  start(connection: StoreConnectionStart, host: ConnectionsHost): Promise<EngineHost>;
  secrets: ConnectionSecrets;
  sockets: LocalSockets;
  clock: Clock;
  log: Logger;
}

/**
 * The connections of one host: the home store and those added beside it, each with an engine on threads of its own, so
 * that connections neither delay nor end each other. Changes of the list are requested by the engines and made one
 * after another; every engine receives the result.
 */
export class HostConnections implements ConnectionsHost, AsyncDisposable {
  readonly #options: HostConnectionsOptions;
  readonly #connections: ConnectionList;
  readonly #checks: TargetChecks;
  readonly #home: string;
  readonly #listeners = new Set<() => void>();
  #list: readonly ConnectionRecord[] = [];
  readonly #changes: ChangeQueue;
  #address: string | undefined;
  /** Settles with the first opening of the home store; rejects with the reason why it could not be opened. */
  readonly opened: Promise<void>;

  /** Starts opening the home store. The others are opened by `openOthers`. */
  constructor(options: HostConnectionsOptions) {
    this.#options = options;
    const { isMirror = false, clock, log } = options;
    // Links are resolved, so that a file has one list, whichever of its names is given.
    const home = realFile(options.home);
    this.#home = home;
    this.#connections = new ConnectionList({ home, isMirror, create: listed => this.#create(listed), log });
    this.#checks = new TargetChecks({ connections: this.#connections, secrets: options.secrets, clock, log });
    this.#changes = new ChangeQueue({ checkWritable: () => this.#connections.checkWritable(), clock, log });
    this.opened = this.#connections.home.open();
    this.opened.catch(() => {});
  }

  get list(): readonly ConnectionRecord[] {
    return this.#list;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Opens the connections that are not closed. Called last in a host's start, since each connection needs processor
   * time.
   */
  openOthers(): void {
    if (!this.#changes.isClosed) for (const connection of this.#connections.toOpen) connection.reopen();
  }

  /** Writes the address of the served host to the owner files, for processes that find a store in use. */
  setAddress(address: string): void {
    this.#address = address;
    for (const { target, endpoint, current } of this.#connections.all) {
      endpoint.address = address;
      if (current !== undefined && target.kind === 'file') writeOwner(target.file, endpoint);
    }
  }

  /** Returns the connection `id`, home by default. Throws CONNECTION_NOT_FOUND, CONNECTION_NOT_OPEN. */
  find(id: string = HOME_CONNECTION): HostConnection {
    const connection = this.#connections.find(id);
    const { name, state } = connection.record;
    if (id === HOME_CONNECTION || state.is === 'open' || state.is === 'opening') return connection;
    throw new SandglassError(
      'CONNECTION_NOT_OPEN',
      state.is === 'closed' ? `${name} is closed. Open it first.` : `${name} is not open. ${state.message}`,
      { id, ...(state.is === 'failed' ? { reason: state.code } : {}) },
    );
  }

  /** Passes a port to a connection's engine. Without a caller: the desktop's user. Throws as `find` does. */
  attach(port: MessagePort, caller?: Caller, id?: string): void {
    this.find(id).attach(port, caller);
  }

  /** Answers a call that the engine of the connection `from` forwards. The engine has checked the permission [P2]. */
  async call(call: ConnectionCall, from: string): Promise<unknown> {
    switch (call.what) {
      case 'secretStorage':
        return this.#options.secrets.storage;
      case 'test':
        return this.#checks.test(call.input, call.allowed);
      case 'add':
        return this.#add(call.input, call.allowed);
      case 'change':
        return this.#change(call.input, call.allowed, from);
      case 'open':
        return this.#open(call.input.id, call.input);
      case 'reopen':
        return this.#changes.run(() => this.#reopen(from));
      case 'close':
        return this.#changes.run(() => this.#close(call.input.id, from));
      case 'remove':
        return this.#changes.run(() => this.#remove(call.input.id, from));
    }
  }

  /** Resolves when all stores are closed and their threads have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#changes.close();
    await Promise.all(this.#connections.all.map(connection => connection.close()));
  }

  async #add(
    { target, closed: isClosed = false, ...given }: NewConnection & { target: TargetWithSecrets },
    allowed: AllowedServers | null,
  ): Promise<ConnectionRecord> {
    const connection = await this.#changes.run(async () => {
      const { target: found, secrets } = resolved(target);
      const address = addressOf(found);
      const label = changedLabel({ ...this.#connections.defaultLabel(), name: '' }, given);
      this.#connections.refuseListed(found);
      if (!isClosed) {
        const test = await this.#checks.probe(found, secrets, allowed);
        if (test.is === 'refused') throw refusedTarget(test, address);
        if (test.is === 'new' && label.readOnly) throw missingStore(address);
      }
      const id = `c-${randomBytes(6).toString('hex')}`;
      const isConfined = allowed !== null;
      const added = this.#create({ id, target: found, label, isConfined, isClosed });
      this.#connections.add(added);
      this.#options.secrets.set(id, secrets);
      if (isClosed) {
        this.#connections.setClosed(added, true);
        this.#publish();
      } else added.reopen();
      return added;
    });
    const { state } = await this.#settled(connection);
    // A store in use is opened when its owner closes it; every other failure is permanent.
    if (state.is !== 'failed' || state.code === 'STORE_IN_USE') return connection.record;
    await this.#changes.run(async () => {
      this.#connections.remove(connection);
      await this.#forget(connection);
    });
    throw refusedTarget(state, addressOf(connection.target));
  }

  async #change(
    { id, target, ...given }: ConnectionChange,
    allowed: AllowedServers | null,
    from: string,
  ): Promise<ConnectionRecord> {
    const connection = await this.#changes.run(async () => {
      const found = this.#connections.find(id);
      const before = found.label;
      const label = changedLabel(before, given);
      if (label.readOnly && id === HOME_CONNECTION && this.#options.isMirror === true) {
        throw new SandglassError('INVALID_CONNECTION', 'A mirror is read-only already.', { id });
      }
      const server = target === undefined ? null : await this.#checks.changedServer(found, target, allowed);
      this.#connections.change(
        found,
        server === null ? { label } : { label, target: server.target, isConfined: allowed !== null },
      );
      if (server !== null) this.#options.secrets.set(id, server.secrets);
      // The engine gets `readOnly` and its server at its start.
      const isReopened = server !== null || label.readOnly !== before.readOnly;
      if (isReopened && found.record.state.is !== 'closed')
        await this.#changes.whenAnswered(found.id === from, async () => found.reopen());
      this.#publish();
      return found;
    });
    return await this.#settled(connection);
  }

  async #open(id: string, { secret, passphrase, tlsPassphrase }: ServerSecrets): Promise<ConnectionRecord> {
    const connection = await this.#changes.run(async () => {
      const found = this.#connections.find(id);
      if (found.target.kind !== 'file') this.#options.secrets.set(id, { secret, passphrase, tlsPassphrase });
      this.#connections.setClosed(found, false);
      const { is } = found.record.state;
      // An open connection may have lost its server because the password was changed there.
      const isNewSecret = is === 'open' && (secret !== undefined || passphrase !== undefined);
      if (is === 'closed' || is === 'failed' || isNewSecret) found.reopen();
      return found;
    });
    return await this.#settled(connection);
  }

  /** The engine ends once it has its answer. A connection that was closed meanwhile stays closed. */
  async #reopen(from: string): Promise<void> {
    const connection = this.#connections.find(from);
    if (connection.record.state.is !== 'open') return;
    await this.#changes.whenAnswered(connection.id === from, async () => connection.reopen());
  }

  async #close(id: string, from: string): Promise<ConnectionRecord> {
    const connection = this.#findOther(id, 'closed: it is open as long as Sandglass runs');
    this.#connections.setClosed(connection, true);
    await this.#changes.whenAnswered(connection.id === from, () => connection.close());
    return { ...connection.record, state: { is: 'closed' } };
  }

  async #remove(id: string, from: string): Promise<{ removed: true }> {
    const connection = this.#findOther(id, 'removed: Sandglass was started on it');
    this.#connections.remove(connection);
    await this.#changes.whenAnswered(connection.id === from, () => this.#forget(connection));
    return { removed: true };
  }

  /** Closes a removed connection, and deletes the password and the mirror of a remote store. A store's file stays. */
  async #forget(connection: HostConnection): Promise<void> {
    await connection.close();
    if (connection.target.kind === 'file') return;
    this.#options.secrets.remove(connection.id);
    removeMirror(this.#home, connection.id);
  }

  /** Returns the record once the connection has left the state `opening`, or after ANSWER_WITHIN_MS. */
  async #settled(connection: HostConnection): Promise<ConnectionRecord> {
    const isOpening = () => connection.record.state.is === 'opening';
    const settled = new AbortController();
    const stop = this.onChange(() => {
      if (!isOpening()) settled.abort();
    });
    if (isOpening()) await this.#options.clock.sleep(ANSWER_WITHIN_MS, settled.signal);
    stop();
    return connection.record;
  }

  #create(listed: ListedConnection): HostConnection {
    const { start, secrets, sockets, clock, log } = this.#options;
    const connection = new HostConnection({
      ...listed,
      start: ({ target, secrets, isConfined, wasOpen, ...options }) =>
        start(
          {
            ...options,
            store:
              target.kind === 'file'
                ? { ...target, mustExist: wasOpen }
                : { ...target, ...secrets, isConfined, mirrorFile: mirrorFileOf(this.#home, listed.id) },
          },
          this,
        ),
      secrets,
      sockets,
      attachToOther: (id, port) =>
        this.#connections.all.find(one => one.id === id)?.attachIfOpen(port) ?? false,
      clock,
      log,
      onChange: () => this.#publish(),
    });
    connection.endpoint.address = this.#address;
    return connection;
  }

  #publish(): void {
    this.#list = this.#connections.records;
    for (const listener of this.#listeners) listener();
  }

  /** Throws INVALID_CONNECTION for the home store, CONNECTION_NOT_FOUND. */
  #findOther(id: string, refusal: string): HostConnection {
    if (id !== HOME_CONNECTION) return this.#connections.find(id);
    throw new SandglassError('INVALID_CONNECTION', `The home store cannot be ${refusal}.`, { id });
  }
}
