import type { EmbeddedEngine } from '../../../electron/engine/api/context.ts';
import { type Follow, openEngine } from '../../../electron/engine/engine.ts';
import { systemClock } from '../../../electron/engine/platform/clock.ts';
import { errorForCaller } from '../../../electron/engine/platform/defect.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import type { Client } from '../../../shared/contract/index.ts';
import { clientOf } from '../../support/client.ts';
import { expiredIds } from '../../support/expired-ids.ts';
import type { Account } from './account.ts';

interface Opened {
  engine: EmbeddedEngine;
  client: Client;
  stop(): Promise<void>;
}

/** Longest time of a scenario in which the store does not open, ms. */
const OPEN_FOR_MS = 3_000;
const COPY_FOR_MS = 8_000;
const RETRY_MS = 50;
const MOST_TRIES = 3;

/**
 * One store under faults: opens the engine with its threads, opens it again when one of them ends, as the host's supervisor
 * does, and keeps the account of what was acknowledged.
 */
export class Session {
  readonly file: string;
  readonly #isAtOnce: boolean;
  readonly #follow: Follow | undefined;
  readonly #present = new Set<string>();
  readonly #gone = new Set<string>();
  readonly #errors: Record<string, number> = {};
  #copied = 0;
  #intervals = 0;
  #opened: Opened | null = null;
  /** The engine that has refused writes after a failed sync. */
  #refusing: EmbeddedEngine | null = null;
  readonly #wrong: string[] = [];
  #wasOpen = false;
  #closedAt = 0;
  #isDead = false;
  #openingMs = 0;
  #copyMs = 0;

  constructor(file: string, isAtOnce: boolean, follow?: Follow) {
    this.file = file;
    this.#isAtOnce = isAtOnce;
    this.#follow = follow;
  }

  get account(): Account {
    return {
      present: [...this.#present],
      gone: [...this.#gone],
      errors: this.#errors,
      copied: this.#copied,
      intervals: this.#intervals,
      closedAt: this.#closedAt,
      wrong: this.#wrong,
      uncaught: [],
    };
  }

  /** Makes a call, up to three times. Returns its answer; undefined if every attempt failed. */
  async call<Answer>(
    what: string,
    make: (opened: Opened) => Promise<Answer> | Answer,
    tries = MOST_TRIES,
  ): Promise<Answer | undefined> {
    for (let i = 0; i < tries; i++) {
      try {
        return await make(await this.#engine());
      } catch (error) {
        this.#failed(what, error);
        if (isSyncFailed(error)) {
          this.#refusing = this.#opened?.engine ?? null;
          await this.#copiedOrGivenUp();
        } else await systemClock.sleep(RETRY_MS);
      }
    }
    return undefined;
  }

  /** The documents are stored: their write was acknowledged. */
  acknowledged(ids: readonly string[]): void {
    for (const id of ids) {
      this.#present.add(id);
      this.#gone.delete(id);
    }
  }

  /** The documents may be removed from now on. */
  expendable(ids: readonly string[]): void {
    for (const id of ids) this.#present.delete(id);
  }

  /** Their removal is no longer certain: a call began that brings them back. */
  mayReturn(ids: readonly string[]): void {
    for (const id of ids) this.#gone.delete(id);
  }

  get gone(): ReadonlySet<string> {
    return this.#gone;
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    this.#closedAt = systemClock.now();
    try {
      await opened?.stop();
    } catch (error) {
      this.#failed('stop', error);
    }
  }

  /** Waits for the copy of the store, after which the engine is opened again: a few seconds in the whole scenario. */
  async #copiedOrGivenUp(): Promise<void> {
    const began = systemClock.elapsed();
    do await systemClock.sleep(RETRY_MS);
    while (!this.#isDead && this.#copyMs + systemClock.elapsed() - began < COPY_FOR_MS);
    this.#copyMs += systemClock.elapsed() - began;
  }

  async #engine(): Promise<Opened> {
    if (this.#isDead) await this.close();
    if (this.#opened !== null) return this.#opened;
    for (;;) {
      const began = systemClock.elapsed();
      try {
        this.#isDead = false;
        this.#opened = this.#open();
        this.#wasOpen = true;
        return this.#opened;
      } catch (error) {
        this.#failed('open', error);
        if (this.#openingMs > OPEN_FOR_MS) throw error;
        await systemClock.sleep(RETRY_MS);
        this.#openingMs += systemClock.elapsed() - began;
      }
    }
  }

  #open(): Opened {
    const log = createLogger('silent', systemClock.now);
    const { engine, stop } = openEngine({
      storeFile: this.file,
      clock: systemClock,
      log,
      version: '0.0.0-test',
      callsWaiting: () => 0,
      reads: 'thread',
      ...(this.#isAtOnce ? { intervalFrom: 2 } : {}),
      mustExist: this.#wasOpen,
      onThreadDeath: error => {
        this.#isDead = true;
        if (error.message.includes('copied')) this.#copied += 1;
        else this.#failed('thread', error);
      },
      ...(this.#follow === undefined ? {} : { follow: this.#follow }),
    });
    const caller = { user: 'torture', permission: 'configure', from: 'machine' } as const;
    const { client, close } = clientOf({ engine, caller });
    engine.backend.onCommit(commit => {
      if (this.#refusing === engine)
        this.#wrong.push(
          `revision ${commit.revision} was acknowledged after a failed sync, without a new file`,
        );
      if (commit.changes.some(({ documents }) => documents !== undefined)) this.#intervals += 1;
      // Those of an interval are told by a reader, which may fail as any other read.
      expiredIds(engine.backend, commit).then(
        ids => {
          for (const id of ids) this.#gone.add(id);
        },
        // As a call tells it: this read passes through none.
        (error: unknown) => this.#failed('expired', errorForCaller(log, 'The read', error)),
      );
    });
    return {
      engine,
      client,
      async stop() {
        close();
        await stop();
      },
    };
  }

  #failed(what: string, error: unknown): void {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const key = `${what}: ${code}`;
    this.#errors[key] = (this.#errors[key] ?? 0) + 1;
  }
}

function isSyncFailed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SYNC_FAILED';
}
