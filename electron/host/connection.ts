import type { MessagePort } from 'node:worker_threads';
import {
  addressOf,
  type ConnectionLabel,
  type ConnectionRecord,
  type ConnectionState,
  type ConnectionTarget,
  type SecretName,
  type ServerSecrets,
} from '../../shared/contract/connections.ts';
import type { SandglassError } from '../../shared/model/errors.ts';
import type { Caller } from '../engine/access/caller.ts';
import type { EngineHost } from '../engine/client.ts';
import type { Endpoint } from '../engine/files/owner-file.ts';
import type { Clock } from '../engine/platform/clock.ts';
import { errorForCaller } from '../engine/platform/defect.ts';
import { errorFields, type Logger } from '../engine/platform/logger.ts';
import type { ConnectionSecrets } from './connection-secrets.ts';
import { EngineEnded, type EngineOutcome, EngineSupervisor } from './engine-supervisor.ts';

/** Arguments to start the engine of one connection. */
export interface ConnectionStart {
  readonly id: string;
  readonly target: ConnectionTarget;
  /** Secrets of a server, as the connection names them or as the user gave them. */
  readonly secrets: ServerSecrets;
  readonly isConfined: boolean;
  readonly readOnly: boolean;
  /** The engine is started again since it ended: a file that is missing now is not created. */
  readonly wasOpen: boolean;
  readonly endpoint: Endpoint;
}

/** Local sockets, through which other processes of this user reach a store (see local-socket/socket-server.ts). */
export interface LocalSockets {
  /** Returns a path to listen on; undefined if this machine has no folder for a socket. */
  newPath(): string | undefined;
  /**
   * Listens on a path. `attach` passes a port to the engine, or to that of the `connection` that a client names, and
   * returns false while no engine runs.
   */
  listen(
    path: string,
    attach: (port: MessagePort, connection: string | undefined) => boolean,
  ): Promise<AsyncDisposable>;
}

export interface HostConnectionOptions {
  id: string;
  target: ConnectionTarget;
  label: ConnectionLabel;
  isConfined: boolean;
  /** True if the user closed it: it is not opened with the host. */
  isClosed: boolean;
  start(connection: ConnectionStart): Promise<EngineHost>;
  secrets: ConnectionSecrets;
  sockets: LocalSockets;
  /** Passes a port to another connection of the host. Returns false while its engine does not run. */
  attachToOther(id: string, port: MessagePort): boolean;
  clock: Clock;
  log: Logger;
  /** Called after each change of `record.state`. */
  onChange(): void;
}

/**
 * One connection of a host: closed, or open with a supervised engine and a local socket of its own. Opening waits until
 * the previous engine has ended and released the file.
 */
export class HostConnection {
  readonly id: string;
  target: ConnectionTarget;
  label: ConnectionLabel;
  /** Whether a caller from the network chose the server [P1]. */
  isConfined: boolean;
  readonly endpoint: Endpoint = {};
  readonly #options: HostConnectionOptions;
  #wasOpen = false;
  #state: ConnectionState;
  #supervisor: EngineSupervisor | undefined;
  #socket: Promise<AsyncDisposable | undefined> | undefined;
  #ending: Promise<void> = Promise.resolve();

  constructor(options: HostConnectionOptions) {
    this.#options = options;
    this.id = options.id;
    this.target = options.target;
    this.label = options.label;
    this.isConfined = options.isConfined;
    this.#state = { is: options.isClosed ? 'closed' : 'opening' };
  }

  get record(): ConnectionRecord {
    return {
      id: this.id,
      ...this.label,
      target: this.target,
      state: this.#state,
    };
  }

  /** The running engine; undefined while it restarts, and while the connection is closed. */
  get current(): EngineHost | undefined {
    return this.#supervisor?.current;
  }

  /** Passes a port to the engine, or to the next engine while that starts. Without a caller: the desktop's user. */
  attach(port: MessagePort, caller?: Caller): void {
    if (this.#supervisor === undefined) port.close();
    else this.#supervisor.attach(port, caller);
  }

  /** Passes a port to the engine. Returns false while none runs. */
  attachIfOpen(port: MessagePort): boolean {
    if (this.current === undefined) return false;
    this.attach(port);
    return true;
  }

  /**
   * Opens the store and its local socket. Settles with the first attempt; after a failure the supervisor tries again.
   */
  async open(): Promise<void> {
    const { clock, log } = this.#options;
    this.#setState({ is: 'opening' });
    this.#wasOpen = false;
    const ended = this.#ending;
    const supervisor = new EngineSupervisor(
      async () => {
        await ended;
        return this.#startEngine();
      },
      clock,
      log,
      outcome => {
        if (supervisor === this.#supervisor) this.#onOutcome(outcome);
      },
    );
    this.#supervisor = supervisor;
    await supervisor.opened;
    await this.#socket;
  }

  /** Closes the connection. Resolves when the file is released. */
  async close(): Promise<void> {
    this.#setState({ is: 'closed' });
    await this.#end();
  }

  /** Closes and opens the store; clients reconnect. */
  reopen(): void {
    void this.#end();
    this.open().catch(error => this.#logNotOpened(error));
  }

  #end(): Promise<void> {
    const [supervisor, socket] = [this.#supervisor, this.#socket];
    this.#supervisor = undefined;
    this.#socket = undefined;
    const before = this.#ending;
    this.#ending = (async () => {
      await before;
      // Closed before the engine, so that clients of the socket receive GOING_AWAY and not ENGINE_STOPPED.
      await this.#closeSocket(await socket);
      await supervisor?.[Symbol.asyncDispose]();
    })();
    return this.#ending;
  }

  #startEngine(): Promise<EngineHost> {
    const { id, target, label, isConfined, endpoint } = this;
    const { sockets, secrets, start } = this.#options;
    // Only stores in files need a socket: other processes can connect to a server directly.
    if (this.#socket === undefined && target.kind === 'file') endpoint.socketPath = sockets.newPath();
    const found = target.kind === 'file' ? {} : secrets.of(id, target);
    const { readOnly } = label;
    return start({ id, target, secrets: found, isConfined, readOnly, wasOpen: this.#wasOpen, endpoint });
  }

  #onOutcome(outcome: EngineOutcome): void {
    if (outcome.is === 'open') {
      this.#wasOpen = true;
      this.#setState(outcome);
      this.#socket ??= this.#listen();
    } else this.#setState({ is: 'failed', ...this.#publicError(outcome.error) });
  }

  async #listen(): Promise<AsyncDisposable | undefined> {
    const { sockets, attachToOther, log } = this.#options;
    const path = this.endpoint.socketPath;
    if (path === undefined) return undefined;
    try {
      return await sockets.listen(path, (port, id) =>
        id === undefined || id === this.id ? this.attachIfOpen(port) : attachToOther(id, port),
      );
    } catch (error) {
      log.warn('the command line cannot reach this store while it is open here', {
        store: addressOf(this.target),
        ...errorFields(error),
      });
      return undefined;
    }
  }

  /** Closes the socket. Never rejects: the engine is stopped afterwards in any case, to release the file. */
  async #closeSocket(socket: AsyncDisposable | undefined): Promise<void> {
    try {
      await socket?.[Symbol.asyncDispose]();
    } catch (error) {
      this.#options.log.warn('a local socket could not be closed', {
        store: addressOf(this.target),
        ...errorFields(error),
      });
    }
  }

  #logNotOpened(error: unknown): void {
    this.#options.log.warn('a connection could not be opened; trying again', {
      store: addressOf(this.target),
      ...errorFields(error),
    });
  }

  #publicError(error: unknown): Omit<ConnectionState & { is: 'failed' }, 'is'> {
    if (error instanceof EngineEnded) return { code: 'ENGINE_STOPPED', message: error.message };
    const failure = errorForCaller(this.#options.log, 'Opening this store', error);
    const { code, message } = failure;
    const needs = this.target.kind === 'file' ? undefined : neededSecret(failure);
    return { code, message, ...(needs !== undefined && { needs }) };
  }

  #setState(state: ConnectionState): void {
    this.#state = state;
    this.#options.onChange();
  }
}

/** Returns the secret that may resolve a failure to open a server; undefined: none does. */
function neededSecret({ code, data }: SandglassError): SecretName | undefined {
  // A variable or a file of the host has the secret.
  if ('secretFrom' in data) return undefined;
  if (code === 'SECRET_REQUIRED' || code === 'PERMISSION_DENIED') return 'secret';
  if (code !== 'PASSPHRASE_REQUIRED') return undefined;
  return data.field === 'tlsPassphrase' ? 'tlsPassphrase' : 'passphrase';
}
