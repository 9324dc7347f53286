import type { ExpirationSetting } from '../../../../shared/contract/documents.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { JsonObject } from '../../../../shared/model/json/json.ts';
import type { DeadlineMirror } from '../../deadline-mirror/deadline-mirror.ts';
import { keyOfId } from '../../deadline-mirror/key-id.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DueCount, DueOptions, PartOptions, PartResult, SetExpirationOptions } from '../backend.ts';
import { countDueBy, deadlineOf } from '../mirrored/chosen-deadline.ts';
import type { MirroredWrites } from '../mirrored/mirrored-backend.ts';
import { type BulkOutcome, type ChosenKey, changeKeys } from './changes/bulk-change.ts';
import { attachKey, deleteKey, gone, setDeadline } from './changes/key-changes.ts';
import type { EtcdClient } from './connection/etcd-client.ts';
import { NO_LEASE } from './connection/replies.ts';
import type { LeaseTable } from './leases/lease-table.ts';
import { editValue } from './values/edit-value.ts';
import { bytesOfValue } from './values/etcd-value.ts';

export interface EtcdWritesOptions {
  readonly client: EtcdClient;
  readonly mirror: DeadlineMirror;
  readonly leases: LeaseTable;
  readonly clock: Clock;
}

/** Writes to the server first, and then to the mirror. */
export class EtcdWrites implements MirroredWrites {
  readonly #options: EtcdWritesOptions;

  constructor(options: EtcdWritesOptions) {
    this.#options = options;
  }

  /**
   * Replaces a value; the key keeps its lease. Takes the document as it is read: with `modRevision`, a value that
   * another client wrote since is not overwritten. Throws DOCUMENT_NOT_FOUND, EXPECTATION_FAILED, INVALID_DOCUMENT.
   */
  async put(
    collection: string,
    id: string,
    { value, modRevision }: JsonObject,
  ): Promise<{ created: boolean; expiredOnArrival: boolean }> {
    this.#check(collection, id);
    if (value === undefined) {
      throw new SandglassError(
        'INVALID_DOCUMENT',
        'A key of etcd is written as {"value": …}, the form in which it is read.',
        { _id: id },
      );
    }
    await editValue(this.#options.client, {
      id,
      key: keyOfId(id),
      value: bytesOfValue(value),
      modRevision: typeof modRevision === 'number' ? modRevision : null,
    });
    return { created: false, expiredOnArrival: false };
  }

  async delete(collection: string, ids: readonly string[], options: PartOptions = {}): Promise<PartResult> {
    const { client, mirror, clock } = this.#options;
    const outcome = await this.#change(collection, ids, options, async chosen => {
      await deleteKey(client, chosen);
      mirror.depart([{ id: chosen.id, cause: 'deleted', at: clock.now(), measuresLag: false }]);
    });
    return this.#resultOf(outcome);
  }

  /** Gives each key a lease of its own, or detaches it from its lease. */
  async setExpiration(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    options: SetExpirationOptions = {},
  ): Promise<PartResult> {
    const { client, clock, leases } = this.#options;
    const at = deadlineOf(setting, options.from ?? clock.now());
    const outcome = await this.#change(collection, ids, options, async chosen => {
      if (at === null) {
        await attachKey(client, chosen, { lease: NO_LEASE });
        return this.#mirrorDeadline(collection, chosen.id, null);
      }
      const lease = await setDeadline(client, clock, chosen, at);
      leases.attach(chosen.id, lease.id);
      leases.set(lease);
      this.#mirrorDeadline(collection, chosen.id, lease.deadlineAt);
    });
    return this.#resultOf(outcome);
  }

  dueAfterSetting(
    collection: string,
    ids: readonly string[],
    setting: ExpirationSetting | null,
    { by, isOver }: DueOptions,
  ): DueCount {
    const { mirror, clock } = this.#options;
    const deadline = deadlineOf(setting, clock.now());
    return countDueBy(mirror, collection, ids, { deadline, by, isOver });
  }

  async #change(
    collection: string,
    ids: readonly string[],
    options: PartOptions,
    change: (key: ChosenKey) => Promise<void>,
  ): Promise<BulkOutcome> {
    return changeKeys(
      ids,
      async id => {
        this.#check(collection, id);
        await change({ id, key: keyOfId(id) });
      },
      options,
    );
  }

  #mirrorDeadline(collection: string, id: string, deadlineAt: number | null): void {
    const { mirror, leases } = this.#options;
    if (deadlineAt === null) leases.attach(id, null);
    mirror.put([{ id, collection, deadlineAt, type: 'key', bytes: null }]);
  }

  /** Throws DOCUMENT_NOT_FOUND. */
  #check(collection: string, id: string): void {
    if (this.#options.mirror.deadlineOf(id)?.collection !== collection) throw gone(id);
  }

  #resultOf({ changed, failed, left }: BulkOutcome): PartResult {
    const { revision } = this.#options.mirror;
    return { succeeded: changed, failed, revision, ...(left > 0 && { left }) };
  }
}
