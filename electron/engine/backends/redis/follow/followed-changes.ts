import type { DeadlineMirror } from '../../../deadline-mirror/deadline-mirror.ts';
import { idOfKey } from '../../../deadline-mirror/key-id.ts';
import type { Departure, MirroredKey } from '../../../deadline-mirror/mirrored-key.ts';
import type { Masters } from '../connection/masters.ts';
import type { KeyGrouping } from '../keys/key-grouping.ts';
import type { KeySample } from '../keys/key-sample.ts';
import { KeyReader, type ReadKey } from '../scan/key-reader.ts';
import { ChangedKeys } from './changed-keys.ts';
import type { FollowedMaster } from './followed-masters.ts';
import { meaningOf } from './key-events.ts';
import type { OpenedKeys } from './opened-keys.ts';

export interface FollowedChangesOptions {
  readonly masters: Masters;
  readonly mirror: DeadlineMirror;
  readonly grouping: KeyGrouping;
  /** The keys whose values are shown. */
  readonly opened: OpenedKeys;
  /** The keys that are mirrored. */
  readonly sample: KeySample;
  readonly hasExpireTime: () => boolean;
  /** During a scan no lag is measured: reading a key may make the server delete it. */
  readonly isScanning: () => boolean;
  /** Called when changes were missed. */
  onGap(reason: string): void;
  onFailure(error: unknown): void;
}

const CHANGED_PER_READ = 200;
const MOST_DEPARTURES = 500;

/** A key that changed, and the master that notified of it. */
interface ChangedKey {
  readonly key: Buffer;
  readonly from: FollowedMaster;
}

/** A key of a cluster whose deletion was notified. */
interface DeletedKey {
  readonly key: Buffer;
  /** Epoch ms by its master's clock. */
  readonly at: number;
}

/**
 * Writes what the masters notify of into the mirror: keys that have left at once, changed keys after they are read again.
 */
export class FollowedChanges {
  readonly #options: FollowedChangesOptions;
  readonly #changed = new ChangedKeys<ChangedKey>();
  readonly #deleted = new ChangedKeys<DeletedKey>();
  #departures: Departure[] = [];

  constructor(options: FollowedChangesOptions) {
    this.#options = options;
  }

  /** Number of keys that are not read again yet. */
  get waiting(): number {
    return this.#changed.size + this.#deleted.size;
  }

  /** Returns a set of the keys of all notifications from now on, until `unwatch`. */
  watch(): Set<string> {
    return this.#changed.watch();
  }

  unwatch(watch: Set<string>): void {
    this.#changed.unwatch(watch);
  }

  clear(): void {
    this.#changed.clear();
    this.#deleted.clear();
  }

  /** Takes a notification of a master. */
  onEvent(from: FollowedMaster, event: string, key: Buffer): void {
    const { mirror, masters, opened, sample } = this.#options;
    if (!sample.has(key)) return;
    const id = idOfKey(key);
    const meaning = meaningOf(event);
    if (meaning.is !== 'gone' && opened.take(id)) mirror.written(id);
    if (meaning.is === 'touched' && mirror.deadlineOf(id) !== undefined) return;
    if (meaning.is !== 'gone') {
      if (!this.#changed.add(id, { key, from }))
        this.#options.onGap('more keys changed than may be read again');
      return;
    }
    const at = from.clock.sentAt();
    const isCurrent = this.#changed.gone(id);
    if (meaning.cause === 'deleted' && masters.commands.isRouted) {
      // A key that moves with its slot is deleted on its former master.
      if (!this.#deleted.add(id, { key, at }))
        this.#options.onGap('more keys were deleted than may be read again');
      return;
    }
    const isReplica = from.watch.role === 'replica';
    // A master sends an expiry to its replicas as a deletion.
    const isExpiry = isReplica && event === 'del' && (mirror.deadlineOf(id)?.deadlineAt ?? Infinity) <= at;
    const cause = isExpiry ? 'expired' : meaning.cause;
    const measuresLag = isCurrent && !this.#options.isScanning() && !isReplica;
    this.#departures.push({ id, cause, at, measuresLag });
    if (this.#departures.length >= MOST_DEPARTURES) this.flush();
  }

  /** Reads some changed keys. Returns their number. */
  async read(): Promise<number> {
    return (await this.#readChanged()) + (await this.#confirmDeleted());
  }

  async #readChanged(): Promise<number> {
    if (this.#changed.size === 0) return 0;
    const taken = this.#changed.take(CHANGED_PER_READ);
    const watch = this.#changed.watch();
    try {
      // Keys that are gone are ignored here: a notification with the cause follows.
      for (const [from, keys] of Map.groupBy(taken.values(), changed => changed.from))
        this.put(await from.reader.read(keys.map(({ key }) => key)), watch);
    } catch (error) {
      this.#options.onFailure(error);
    } finally {
      this.#changed.unwatch(watch);
      this.#changed.done(taken.keys());
    }
    return taken.size;
  }

  /** Reads keys of a cluster that were deleted on a master: those that moved to another one are there. */
  async #confirmDeleted(): Promise<number> {
    const { masters } = this.#options;
    if (this.#deleted.size === 0) return 0;
    const taken = this.#deleted.take(CHANGED_PER_READ);
    const watch = this.#changed.watch();
    try {
      const reader = new KeyReader(masters.commands, { hasExpireTime: this.#options.hasExpireTime() });
      const found = await reader.read([...taken.values()].map(({ key }) => key));
      this.put(found, watch);
      for (const { key } of found) taken.delete(idOfKey(key));
      for (const [id, { at }] of taken)
        if (!watch.has(id)) this.#departures.push({ id, cause: 'deleted', at, measuresLag: false });
    } catch (error) {
      this.#options.onFailure(error);
    } finally {
      this.#changed.unwatch(watch);
    }
    return taken.size;
  }

  /**
   * Writes keys into the mirror, without those with a notification since they were read: they are gone, or are read
   * again.
   */
  put(keys: readonly ReadKey[], newer: ReadonlySet<string>): void {
    const { mirror, grouping, sample } = this.#options;
    this.flush();
    const mirrored: MirroredKey[] = [];
    for (const { key, deadlineAt, type } of keys) {
      const id = idOfKey(key);
      if (sample.has(key) && !newer.has(id))
        mirrored.push({ id, collection: grouping.collectionOf(key), deadlineAt, type, bytes: null });
    }
    mirror.put(mirrored);
  }

  /** Records the keys that have left. */
  flush(): void {
    if (this.#departures.length === 0) return;
    this.#options.mirror.depart(this.#departures);
    this.#departures = [];
  }
}
