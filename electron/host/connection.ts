import type { MessagePort } from 'node:worker_threads';
import type {
  ConnectionLabel,
  ConnectionRecord,
  ConnectionState,
} from '../../shared/contract/connections.ts';
import type { Caller } from '../engine/access/caller.ts';
import type { EngineHost } from '../engine/client.ts';
import type { Whereabouts } from '../engine/files/owner-file.ts';
import type { Clock } from '../engine/platform/clock.ts';
import { toldAs } from '../engine/platform/defect.ts';
import { errorFields, type Logger } from '../engine/platform/logger.ts';
import { EngineEnded, EngineKeeper, type KeeperState } from './engine-supervisor.ts';

/** What a host does to start the engine of one store. */
export interface StoreStart {
  readonly id: string;
  readonly file: string;
  readonly readOnly: boolean;
  readonly whereabouts: Whereabouts;
}

/** How other processes of this person come to a store (see electron/host/local-socket/socket-server.ts). */
export interface Doors {
  /** Where one can be opened; undefined: this machine has no place for it. */
  place(): string | undefined;
  /** `attach` hands a port to the engine; false while there is none. */
  open(path: string, attach: (port: MessagePort) => boolean): Promise<AsyncDisposable>;
}

export interface HeldStoreNeeds {
  id: string;
  file: string;
  label: ConnectionLabel;
  /** The person closed it, and it stays so until they open it. */
  isClosed: boolean;
  start(store: StoreStart): Promise<EngineHost>;
  doors: Doors;
  clock: Clock;
  log: Logger;
  /** Its state is another. */
  onChange(): void;
}

/**
 * One connection of a host: closed, or held open by a keeper of its own, whose engine answers at a door of its own. What
 * is begun while the one before still ends waits for that end, so that the file is free by then.
 */
export class HeldStore {
  readonly id: string;
  readonly file: string;
  label: ConnectionLabel;
  readonly whereabouts: Whereabouts = {};
  readonly #needs: HeldStoreNeeds;
  #state: ConnectionState;
  #keeper: EngineKeeper | undefined;
  #door: Promise<AsyncDisposable | undefined> | undefined;
  #ending: Promise<void> = Promise.resolve();

  constructor(needs: HeldStoreNeeds) {
    this.#needs = needs;
    this.id = needs.id;
    this.file = needs.file;
    this.label = needs.label;
    this.#state = { is: needs.isClosed ? 'closed' : 'opening' };
  }

  get record(): ConnectionRecord {
    return {
      id: this.id,
      ...this.label,
      target: { kind: 'file', file: this.file },
      state: this.#state,
    };
  }

  /** The engine that runs now; undefined between two, and while it is closed. */
  get current(): EngineHost | undefined {
    return this.#keeper?.current;
  }

  /** Whoever comes while it is being opened waits. Without a caller: the desktop's user. */
  attach(port: MessagePort, caller?: Caller): void {
    if (this.#keeper === undefined) port.close();
    else this.#keeper.attach(port, caller);
  }

  /** Begins to open it, and its door. Settles when that succeeded or failed for the first time; it is tried again by itself. */
  async open(): Promise<void> {
    const { clock, log } = this.#needs;
    this.#say({ is: 'opening' });
    const ended = this.#ending;
    const keeper = new EngineKeeper(
      async () => {
        await ended;
        return this.#start();
      },
      clock,
      log,
      state => {
        if (keeper === this.#keeper) this.#became(state);
      },
    );
    this.#keeper = keeper;
    await keeper.opened;
    await this.#door;
  }

  /** Resolves when its file is free. */
  async close(): Promise<void> {
    this.#say({ is: 'closed' });
    await this.#end();
  }

  /** Closes and opens it; whoever has a port comes again. */
  reopen(): void {
    void this.#end();
    this.open().catch(error => this.#notOpened(error));
  }

  #end(): Promise<void> {
    const [keeper, door] = [this.#keeper, this.#door];
    this.#keeper = undefined;
    this.#door = undefined;
    const before = this.#ending;
    this.#ending = (async () => {
      await before;
      // First, so that whoever came by it hears a goodbye and not that the engine failed.
      await this.#closeDoor(await door);
      await keeper?.[Symbol.asyncDispose]();
    })();
    return this.#ending;
  }

  #start(): Promise<EngineHost> {
    const { id, file, label, whereabouts } = this;
    if (this.#door === undefined) whereabouts.door = this.#needs.doors.place();
    return this.#needs.start({ id, file, readOnly: label.readOnly, whereabouts });
  }

  #became(state: KeeperState): void {
    if (state.is === 'open') {
      this.#say(state);
      this.#door ??= this.#openDoor();
    } else this.#say({ is: 'failed', ...this.#told(state.error) });
  }

  async #openDoor(): Promise<AsyncDisposable | undefined> {
    const { doors, log } = this.#needs;
    const path = this.whereabouts.door;
    if (path === undefined) return undefined;
    try {
      return await doors.open(path, port => {
        if (this.current === undefined) return false;
        this.attach(port);
        return true;
      });
    } catch (error) {
      log.warn('the command line cannot reach this store while it is open here', {
        store: this.file,
        ...errorFields(error),
      });
      return undefined;
    }
  }

  /** Never rejects: the store would stay shut with it. */
  async #closeDoor(door: AsyncDisposable | undefined): Promise<void> {
    try {
      await door?.[Symbol.asyncDispose]();
    } catch (error) {
      this.#needs.log.warn('a door could not be closed', { store: this.file, ...errorFields(error) });
    }
  }

  #notOpened(error: unknown): void {
    const { log } = this.#needs;
    log.warn('a connection could not be opened; it is tried again', {
      store: this.file,
      ...errorFields(error),
    });
  }

  #told(error: unknown): { code: string; message: string } {
    if (error instanceof EngineEnded) return { code: 'ENGINE_STOPPED', message: error.message };
    const { code, message } = toldAs(this.#needs.log, 'Opening this store', error);
    return { code, message };
  }

  #say(state: ConnectionState): void {
    this.#state = state;
    this.#needs.onChange();
  }
}
