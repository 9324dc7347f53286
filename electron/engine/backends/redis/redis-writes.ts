import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { JsonObject } from '../../../../shared/model/json/json.ts';
import type { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import { isWritable, keyOfId } from '../../deadline-mirror/key-id.ts';
import type { Clock } from '../../platform/clock.ts';
import { errorFields, type Logger } from '../../platform/logger.ts';
import type { PartOptions, PartResult, SetExpirationOptions } from '../backend.ts';
import { countDueBy, deadlineOf } from '../mirrored/chosen-deadline.ts';
import type { MirroredWrites } from '../mirrored/mirrored-backend.ts';
import {
  type BulkOutcome,
  type ChosenKey,
  changeKeys,
  goneProblem,
  type KeyChange,
} from './changes/bulk-change.ts';
import { CLEAR_DEADLINE, DELETE_KEY, deadlineChange } from './changes/key-changes.ts';
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
    const outcome = await this.#change(collection, ids, this.#deadlineChange(setting, options.from), options);
    await this.#mirrorAgain(collection, outcome.changed);
    return this.#resultOf(outcome);
  }

  dueAfterSetting(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    { by, isOver }: { by: number; isOver: () => boolean },
  ): { due: number; done: number } {
    const { mirror, serverNow } = this.#options;
    const deadline = deadlineOf(setting, serverNow());
    return countDueBy(mirror, collection, ids, { deadline, by, isOver });
  }

  /** A duration counts from `from`, by this machine's clock; the server gets an instant by its own clock. */
  #deadlineChange(setting: ExpirationSetting | null, from: number | undefined): KeyChange {
    const { clock, serverNow, hasExpireTime } = this.#options;
    const offset = serverNow() - clock.now();
    const now = setting !== null && 'after' in setting && from !== undefined ? from + offset : serverNow();
    const at = deadlineOf(setting, now);
    return at === null
      ? CLEAR_DEADLINE
      : deadlineChange(Math.round(at), { hasExpireTime: hasExpireTime(), serverNow });
  }

  async #change(
    collection: string,
    ids: readonly string[],
    change: KeyChange,
    options: PartOptions,
  ): Promise<BulkOutcome> {
    const { mirror, commands, clock } = this.#options;
    const failed: BulkOutcome['failed'] = [];
    const chosen: ChosenKey[] = [];
    for (const id of ids) {
      if (mirror.deadlineOf(id)?.collection !== collection) failed.push({ _id: id, ...goneProblem(id) });
      else if (!isWritable(id)) failed.push({ _id: id, code: 'BAD_REQUEST', message: LONG_KEY });
      else chosen.push({ id, key: keyOfId(id) });
    }
    const outcome = await changeKeys({ connection: commands, clock }, chosen, change, options);
    return { ...outcome, failed: [...failed, ...outcome.failed] };
  }

  /**
   * Reads the changed keys, so that the window shows them at once, even if the server sends no notifications. Without
   * effect on the result: the keys are changed already.
   */
  async #mirrorAgain(collection: string, changed: readonly ChosenKey[]): Promise<void> {
    const { commands, mirror, hasExpireTime, log } = this.#options;
    if (changed.length === 0 || !commands.isReady) return;
    this.#reader ??= new KeyReader(commands, { hasExpireTime: hasExpireTime() });
    const idOf = new Map(changed.map(({ id, key }) => [key.toString('latin1'), id]));
    try {
      const read = await this.#reader.read(changed.map(({ key }) => key));
      mirror.put(
        read.flatMap(({ key, deadlineAt, type }) => {
          const id = idOf.get(key.toString('latin1'));
          return id === undefined ? [] : [{ id, collection, deadlineAt, type, bytes: null }];
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

const LONG_KEY = 'The key is longer than 512 bytes, shown by its hash, and not changed here.';
