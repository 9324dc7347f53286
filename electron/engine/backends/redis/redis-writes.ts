import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { JsonObject } from '../../../../shared/model/json/json.ts';
import type { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import { isWritable, keyOfId } from '../../deadline-mirror/key-id.ts';
import type { Clock } from '../../platform/clock.ts';
import { errorFields, type Logger } from '../../platform/logger.ts';
import type { DueCount, DueOptions, PartOptions, PartResult, SetExpirationOptions } from '../backend.ts';
import { countDueBy, deadlineOf } from '../mirrored/chosen-deadline.ts';
import type { MirroredWrites } from '../mirrored/mirrored-backend.ts';
import type { ChangedDeadline } from '../port/deadline-undo.ts';
import {
  type BulkOutcome,
  type ChosenKey,
  changeAdmitted,
  goneProblem,
  type KeyChange,
  type Problem,
} from './changes/bulk-change.ts';
import { CLEAR_DEADLINE, DELETE_KEY, deadlineChange } from './changes/key-changes.ts';
import { type ChangedKey, SET_BACK_DEADLINE } from './changes/set-back.ts';
import type { CommandConnection } from './connection/command-connection.ts';
import { KeyReader } from './scan/key-reader.ts';
import { editValue } from './values/edit-value.ts';

export interface RedisWritesOptions {
  readonly commands: CommandConnection;
  readonly mirror: DeadlineMirror;
  readonly clock: Clock;
  readonly log: Logger;
  /** Epoch ms by the server's clock. */
  readonly serverNow: () => number;
  readonly hasExpireTime: () => boolean;
}

/** Writes to the server first, and then the server's answer to the mirror. */
export class RedisWrites implements MirroredWrites {
  readonly #options: RedisWritesOptions;
  #reader: KeyReader | null = null;

  constructor(options: RedisWritesOptions) {
    this.#options = options;
  }

  /**
   * Replaces a value in place; its TTL stays. Takes the document as it is read: `{"type": …, "value": …}`. Throws
   * DOCUMENT_NOT_FOUND for a key that does not exist, or not any more: it is not created again.
   */
  async put(
    collection: string,
    id: string,
    document: JsonObject,
  ): Promise<{ created: boolean; expiredOnArrival: boolean }> {
    this.#check(collection, id);
    const { type, value } = document;
    if (typeof type !== 'string' || 'partOf' in document) {
      throw new SandglassError(
        'INVALID_DOCUMENT',
        'A key of Redis is written as {"type": …, "value": …}, the form in which it is read, and only if its whole value was read.',
        { _id: id },
      );
    }
    const key = keyOfId(id);
    await editValue(this.#options.commands, { id, key, type, value });
    // The server's notification tells nothing new: deadline and type are the same.
    this.#options.mirror.written(id);
    return { created: false, expiredOnArrival: false };
  }

  async delete(collection: string, ids: readonly string[], options: PartOptions = {}): Promise<PartResult> {
    const outcome = await this.#change(collection, ids, DELETE_KEY, options);
    const at = this.#options.serverNow();
    this.#options.mirror.depart(
      outcome.changed.map(({ id }) => ({ id, cause: 'deleted', at, measuresLag: false })),
    );
    return this.#resultOf(outcome);
  }

  async setExpiration(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    options: SetExpirationOptions = {},
  ): Promise<PartResult> {
    const at = this.#deadlineOf(setting, options);
    const outcome = await this.#change(collection, ids, this.#deadlineChange(at, options), options);
    if (options.job !== undefined) {
      // Not the mirrored deadlines, which may have changed since the last scan. A key without a reply cannot be set back.
      const changed = outcome.changed.flatMap(one => {
        const found = outcome.before.get(one);
        if (found === undefined) return [];
        return [{ id: one.id, collection, before: found === NEVER ? null : found, after: at }];
      });
      this.#options.mirror.undo.keep(
        options.job,
        changed.filter(one => one.before !== one.after),
      );
    }
    await this.#mirrorAgain(outcome.changed);
    if (options.only === undefined) return this.#resultOf(outcome);
    const isUnmet = ({ code }: { code: string }) => code === 'EXPECTATION_FAILED';
    return {
      ...this.#resultOf({ ...outcome, failed: outcome.failed.filter(one => !isUnmet(one)) }),
      unchanged: outcome.failed.filter(isUnmet).map(({ _id, message }) => ({ _id, message })),
    };
  }

  /** Sets deadlines back where they are still as a job left them. */
  async setBack(
    job: string,
    kept: readonly ChangedDeadline[],
    options: PartOptions = {},
  ): Promise<PartResult> {
    const { mirror, commands, clock, serverNow } = this.#options;
    this.#checkConditions();
    const now = serverNow();
    const outcome = await changeAdmitted({ connection: commands, clock }, kept, SET_BACK_DEADLINE, {
      ...options,
      read: (one): ChangedKey | Problem =>
        one.before !== null && one.before <= now ? PASSED : { ...one, key: keyOfId(one.id) },
    });
    mirror.undo.remove(
      job,
      outcome.changed.map(({ id }) => id),
    );
    await this.#mirrorAgain(outcome.changed);
    return this.#resultOf(outcome);
  }

  dueAfterSetting(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    options: DueOptions,
  ): DueCount {
    const deadline = this.#deadlineOf(setting, options);
    return countDueBy(this.#options.mirror, collection, ids, { ...options, deadline });
  }

  /**
   * Returns the instant to set, by the server's clock; null: none. A duration counts from `from`, by this machine's
   * clock. Throws INVALID_EXPIRATION, NOT_SUPPORTED.
   */
  #deadlineOf(
    setting: ExpirationSetting | null,
    { from, only }: Pick<SetExpirationOptions, 'from' | 'only'>,
  ): number | null {
    const { clock, serverNow } = this.#options;
    const offset = serverNow() - clock.now();
    const now = setting !== null && 'after' in setting && from !== undefined ? from + offset : serverNow();
    const at = deadlineOf(setting, now);
    if (only === undefined) return at === null ? null : Math.round(at);
    this.#checkConditions();
    if (at !== null) return Math.round(at);
    throw new SandglassError(
      'INVALID_EXPIRATION',
      '`only` is for an instant or a duration: PERSIST has no condition.',
    );
  }

  /** Throws NOT_SUPPORTED. */
  #checkConditions(): void {
    if (this.#options.hasExpireTime()) return;
    throw new SandglassError(
      'NOT_SUPPORTED',
      'Redis has conditions for deadlines, and reads them exactly, from version 7.0 on.',
      { feature: 'conditionalExpiration' },
    );
  }

  #deadlineChange(at: number | null, { only, job }: Pick<SetExpirationOptions, 'only' | 'job'>): KeyChange {
    const { serverNow } = this.#options;
    const hasExpireTime = this.#options.hasExpireTime();
    const change = at === null ? CLEAR_DEADLINE : deadlineChange(at, { only, hasExpireTime, serverNow });
    if (job === undefined || !hasExpireTime) return change;
    return { ...change, before: ({ key }) => ['PEXPIRETIME', key] };
  }

  async #change(
    collection: string,
    ids: readonly string[],
    change: KeyChange,
    options: PartOptions,
  ): Promise<BulkOutcome> {
    const { mirror, commands, clock } = this.#options;
    const chosen = ids.map(id => ({ id }));
    return changeAdmitted({ connection: commands, clock }, chosen, change, {
      ...options,
      read({ id }): ChosenKey | Problem {
        if (mirror.deadlineOf(id)?.collection !== collection) return goneProblem(id);
        return isWritable(id) ? { id, key: keyOfId(id) } : LONG_KEY;
      },
    });
  }

  /**
   * Reads the changed keys, so that the window shows them at once, even if the server sends no notifications. Without
   * effect on the result: the keys are changed already.
   */
  async #mirrorAgain(changed: readonly ChosenKey[]): Promise<void> {
    const { commands, mirror, hasExpireTime, log } = this.#options;
    if (changed.length === 0 || !commands.isReady) return;
    this.#reader ??= new KeyReader(commands, { hasExpireTime: hasExpireTime() });
    const idOf = new Map(changed.map(({ id, key }) => [key.toString('latin1'), id]));
    try {
      const read = await this.#reader.read(changed.map(({ key }) => key));
      mirror.put(
        read.flatMap(({ key, deadlineAt, type }) => {
          const id = idOf.get(key.toString('latin1'));
          const collection = id === undefined ? undefined : mirror.deadlineOf(id)?.collection;
          if (id === undefined || collection === undefined) return [];
          return [{ id, collection, deadlineAt, type, bytes: null }];
        }),
      );
    } catch (error) {
      log.warn('Changed keys could not be read; they are shown after the next scan', errorFields(error));
    }
  }

  #check(collection: string, id: string): void {
    if (this.#options.mirror.deadlineOf(id)?.collection === collection) return;
    throw new SandglassError('DOCUMENT_NOT_FOUND', goneProblem(id).message, { collection, _id: id });
  }

  #resultOf({ changed, failed, left }: BulkOutcome): PartResult {
    const { revision } = this.#options.mirror;
    return { succeeded: changed.length, failed, revision, ...(left > 0 ? { left } : {}) };
  }
}

/** Reply to PEXPIRETIME for a key without a deadline. */
const NEVER = -1;
const PASSED = {
  code: 'EXPECTATION_FAILED',
  message: 'Left unchanged: its previous deadline has passed, so setting it back would delete the key.',
} as const;
const LONG_KEY = {
  code: 'BAD_REQUEST',
  message: 'The key is longer than 512 bytes, shown by its hash, and not changed here.',
} as const;
