import { randomBytes } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import {
  type ConnectionChange,
  type ConnectionRecord,
  type ConnectionTarget,
  type ConnectionTest,
  HOME_CONNECTION,
  type NewConnection,
} from '../../shared/contract/connections.ts';
import { ERROR_STATUS, isErrorCode, SandglassError } from '../../shared/model/errors.ts';
import type { Caller } from '../engine/access/caller.ts';
import type { EngineHost } from '../engine/client.ts';
import { writeOwner } from '../engine/files/owner-file.ts';
import { realFile, realPlace } from '../engine/files/store-path.ts';
import type { Clock } from '../engine/platform/clock.ts';
import { errorFields, type Logger } from '../engine/platform/logger.ts';
import type { ConnectionCall, ConnectionsHost } from '../engine/protocol/connection-calls.ts';
import { type Doors, HeldStore, type StoreStart } from './connection.ts';
import { changedLabel } from './connection-label.ts';
import { type HeldOne, StoreBook } from './connection-list.ts';
import { probe } from './file-probe.ts';

/** How long whoever adds or opens one waits to hear what became of it; a migration goes on behind the answer. */
const ANSWER_WITHIN_MS = 10_000;

export interface StoresNeeds {
  /** The store that Sandglass is started on; the list of the others is kept beside it. */
  home: string;
  /** It mirrors a leader, and takes no changes anyway [V5]. */
  isMirror?: boolean;
  /** The host's way to start an engine; `host` is what it is connected to. */
  start(store: StoreStart, host: ConnectionsHost): Promise<EngineHost>;
  doors: Doors;
  clock: Clock;
  log: Logger;
}

/**
 * All stores of one host: the home store, and those that somebody connected beside it, each with an engine on threads of
 * its own, so that none delays another and none ends with another. Changes of the list come one after another, from the
 * engines that were asked for them, and every engine is told what came of them.
 */
export class Stores implements ConnectionsHost, AsyncDisposable {
  readonly #needs: StoresNeeds;
  readonly #book: StoreBook;
  readonly #listeners = new Set<() => void>();
  #list: readonly ConnectionRecord[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  /** Of the change whose turn it is. */
  #afterwards: (() => Promise<void>) | undefined;
  #address: string | undefined;
  #isOver = false;
  /** Settles with the home store's first opening: rejects with why it could not be. */
  readonly opened: Promise<void>;

  /** Begins to open the home store. The others wait for `openOthers`. */
  constructor(needs: StoresNeeds) {
    this.#needs = needs;
    const { isMirror = false, log } = needs;
    // The list lies beside it, and there is one however it is called.
    const home = realFile(needs.home);
    this.#book = new StoreBook({ home, isMirror, hold: store => this.#hold(store), log });
    this.opened = this.#book.home.open();
    this.opened.catch(() => {});
  }

  get list(): readonly ConnectionRecord[] {
    return this.#list;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Opens those that are not closed: after all that the host does first, since each takes a processor for a while. */
  openOthers(): void {
    if (!this.#isOver) for (const store of this.#book.toOpen) store.reopen();
  }

  /** Where the served host answers: told to whoever finds one of the stores taken. */
  answersAt(address: string): void {
    this.#address = address;
    for (const { file, whereabouts, current } of this.#book.all) {
      whereabouts.address = address;
      if (current !== undefined) writeOwner(file, whereabouts);
    }
  }

  /** Whose engine is meant; home where none is named. Throws CONNECTION_NOT_FOUND, CONNECTION_NOT_OPEN. */
  reach(id: string = HOME_CONNECTION): HeldStore {
    const store = this.#book.find(id);
    const { name, state } = store.record;
    if (id === HOME_CONNECTION || state.is === 'open' || state.is === 'opening') return store;
    throw new SandglassError(
      'CONNECTION_NOT_OPEN',
      state.is === 'closed' ? `${name} is closed. Open it first.` : `${name} is not open. ${state.message}`,
      { id, ...(state.is === 'failed' ? { reason: state.code } : {}) },
    );
  }

  /** Without a caller: the desktop's user. Throws what `reach` throws. */
  attach(port: MessagePort, caller?: Caller, id?: string): void {
    this.reach(id).attach(port, caller);
  }

  /** What an engine asks for whoever called it; that they may is decided there [P2]. */
  async ask({ what, input }: ConnectionCall, from: string): Promise<unknown> {
    switch (what) {
      case 'test':
        return this.#test(input);
      case 'add':
        return this.#add(input);
      case 'change':
        return this.#change(input, from);
      case 'open':
        return this.#open(input.id);
      case 'close':
        return this.#inTurn(() => this.#close(input.id, from));
      case 'remove':
        return this.#inTurn(() => this.#remove(input.id, from));
    }
  }

  /** Resolves when all are closed and their threads have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#turn;
    await Promise.all(this.#book.all.map(store => store.close()));
  }

  async #test({ file }: ConnectionTarget): Promise<ConnectionTest> {
    try {
      const place = realPlace(file);
      this.#book.refuseKnown(place);
      return await probe(place);
    } catch (error) {
      if (!(error instanceof SandglassError)) throw error;
      return { is: 'refused', code: error.code, message: error.message };
    }
  }

  async #add({ target, ...given }: NewConnection): Promise<ConnectionRecord> {
    const store = await this.#inTurn(async () => {
      const place = realPlace(target.file);
      const label = changedLabel({ ...this.#book.usualLabel(), name: '' }, given);
      this.#book.refuseKnown(place);
      const found = await probe(place);
      if (found.is === 'refused') throw refusedTarget(found, place);
      if (found.is === 'new' && label.readOnly) {
        throw new SandglassError(
          'INVALID_CONNECTION',
          `There is no store at ${place}, and a read-only connection makes none.`,
          { file: place },
        );
      }
      const added = this.#hold({
        id: `c-${randomBytes(6).toString('hex')}`,
        file: place,
        label,
        isClosed: false,
      });
      this.#book.add(added);
      added.reopen();
      return added;
    });
    const { state } = await this.#outcome(store);
    // A store that somebody has is opened once they let go of it; whatever else it is would stay so.
    if (state.is !== 'failed' || state.code === 'STORE_IN_USE') return store.record;
    await this.#inTurn(async () => {
      this.#book.forget(store);
      await store.close();
    });
    throw refusedTarget(state, store.file);
  }

  async #change({ id, ...given }: ConnectionChange, from: string): Promise<ConnectionRecord> {
    const store = await this.#inTurn(async () => {
      const found = this.#book.find(id);
      const before = found.label;
      const label = changedLabel(before, given);
      if (label.readOnly && id === HOME_CONNECTION && this.#needs.isMirror === true) {
        throw new SandglassError('INVALID_CONNECTION', 'A mirror takes no changes of its own as it is.', {
          id,
        });
      }
      this.#book.setLabel(found, label);
      // Where it was opened with the other meaning it is opened anew, and whoever was connected comes again.
      if (label.readOnly !== before.readOnly && found.record.state.is !== 'closed')
        await this.#whenAnswered(found, from, async () => found.reopen());
      this.#changed();
      return found;
    });
    return await this.#outcome(store);
  }

  async #open(id: string): Promise<ConnectionRecord> {
    const store = await this.#inTurn(async () => {
      const found = this.#book.find(id);
      this.#book.setClosed(found, false);
      const { is } = found.record.state;
      if (is === 'closed' || is === 'failed') found.reopen();
      return found;
    });
    return await this.#outcome(store);
  }

  async #close(id: string, from: string): Promise<ConnectionRecord> {
    const store = this.#notHome(id, 'closed: it is open as long as Sandglass is');
    this.#book.setClosed(store, true);
    await this.#whenAnswered(store, from, () => store.close());
    return { ...store.record, state: { is: 'closed' } };
  }

  async #remove(id: string, from: string): Promise<{ removed: true }> {
    const store = this.#notHome(id, 'removed: Sandglass was started on it');
    this.#book.forget(store);
    await this.#whenAnswered(store, from, () => store.close());
    return { removed: true };
  }

  /** What ends the engine through which it was asked would take the answer along, and so comes after it. */
  async #whenAnswered(store: HeldStore, from: string, act: () => Promise<void>): Promise<void> {
    if (store.id === from) this.#afterwards = act;
    else await act();
  }

  async #doAfterwards(): Promise<void> {
    const { clock, log } = this.#needs;
    const act = this.#afterwards;
    if (act === undefined) return;
    this.#afterwards = undefined;
    try {
      await clock.sleep(0);
      await act();
    } catch (error) {
      log.error('a connection could not be changed', errorFields(error));
    }
  }

  /** Its record when it is no longer being opened, or as it is when that takes long. */
  async #outcome(store: HeldStore): Promise<ConnectionRecord> {
    const isOpening = () => store.record.state.is === 'opening';
    const settled = new AbortController();
    const stop = this.onChange(() => {
      if (!isOpening()) settled.abort();
    });
    if (isOpening()) await this.#needs.clock.sleep(ANSWER_WITHIN_MS, settled.signal);
    stop();
    return store.record;
  }

  #hold(one: HeldOne): HeldStore {
    const { start, doors, clock, log } = this.#needs;
    const held = new HeldStore({
      ...one,
      start: store => start(store, this),
      doors,
      clock,
      log,
      onChange: () => this.#changed(),
    });
    held.whereabouts.address = this.#address;
    return held;
  }

  #changed(): void {
    this.#list = this.#book.records;
    for (const listener of this.#listeners) listener();
  }

  #notHome(id: string, why: string): HeldStore {
    if (id !== HOME_CONNECTION) return this.#book.find(id);
    throw new SandglassError('INVALID_CONNECTION', `The home store cannot be ${why}.`, { id });
  }

  #inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(() => {
      if (this.#isOver) throw new SandglassError('CONNECTION_NOT_OPEN', 'Sandglass is ending.');
      this.#book.checkWritable();
      return change();
    });
    // Nothing overtakes what a change leaves to be done: neither the next one nor the end of the host.
    this.#turn = done.then(
      () => this.#doAfterwards(),
      () => {},
    );
    return done;
  }
}

/** What a file that was named is refused for; that it is no store that can be opened is the caller's mistake, not ours. */
function refusedTarget({ code, message }: { code: string; message: string }, file: string): SandglassError {
  const isOfCaller = isErrorCode(code) && ERROR_STATUS[code] < 500;
  return new SandglassError(isOfCaller ? code : 'INVALID_CONNECTION', message, { file, reason: code });
}
