import type { ReplicaTick } from '../../../../../shared/contract/replication.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { MINUTE, SECOND } from '../../../deadline-index/count-levels.ts';
import { hasSchedule } from '../../../expiry/schedule/ticks.ts';
import type { FollowerRecord, Followers, FollowerToken } from '../../backend.ts';
import type { StoredFollower } from '../tables/followers.ts';
import type { Writer } from '../write/writer.ts';
import type { LogLimits } from './log-compaction.ts';
import type { PurgeConfirmations } from './purge-confirmations.ts';

/** Maximum rows that one step deletes: writes wait meanwhile. */
const REVISIONS_A_STEP = 500;
const BYTES_A_STEP = 4 * 1024 * 1024;

/**
 * The followers of a leader [V5]. While one is registered, the store keeps images of changed documents. An image is
 * deleted when every follower has it, when images exceed the log's size, or when its revision leaves the log. A
 * follower without contact for as long as the log is kept is removed, and starts with a snapshot when it returns.
 */
export class EmbeddedFollowers implements Followers {
  readonly storeId: string;
  readonly #writer: Writer;
  readonly #limits: () => LogLimits;
  readonly #confirmations: PurgeConfirmations;
  readonly #followers: Map<string, StoredFollower>;
  /** When each follower's position was last stored, epoch ms. */
  readonly #notedAt = new Map<string, number>();

  constructor(writer: Writer, limits: () => LogLimits, confirmations: PurgeConfirmations) {
    this.#confirmations = confirmations;
    this.#writer = writer;
    this.#limits = limits;
    this.storeId = writer.meta.text('storeId') ?? '';
    this.#followers = new Map(writer.tables.followers.all().map(follower => [follower.name, follower]));
  }

  register(name: string, token: FollowerToken): { oldest: number } {
    const { images, clock, revision } = this.#writer;
    const from = images.from ?? revision + 1;
    const known = this.#followers.get(name);
    this.#keep({ name, revision: known?.revision ?? revision, seenAt: clock.now(), token }, from);
    return { oldest: from };
  }

  recordProgress(name: string, revision: number): void {
    const known = this.#followers.get(name);
    if (known === undefined) {
      throw new SandglassError(
        'BAD_REQUEST',
        `Nothing is kept for a follower named ${name}: it was forgotten, or never registered. It has to register.`,
        { follower: name },
      );
    }
    const now = this.#writer.clock.now();
    const follower = { ...known, revision, seenAt: now };
    if (now - (this.#notedAt.get(name) ?? 0) >= MINUTE) this.#keep(follower, this.#writer.images.from);
    else this.#followers.set(name, follower);
  }

  tokenOf(name: string): FollowerToken | null {
    return this.#followers.get(name)?.token ?? null;
  }

  revisionOf(name: string): number {
    return this.#followers.get(name)?.revision ?? 0;
  }

  ticks(): ReplicaTick[] {
    const { catalog, tables } = this.#writer;
    const ticks = tables.scheduleTicks.all();
    return [...catalog.collections.values()]
      .flatMap(({ indexes }) => indexes.filter(({ definition }) => hasSchedule(definition)))
      .flatMap(({ id }) => {
        const tick = ticks.get(id);
        return tick === undefined ? [] : [{ source: id, ...tick }];
      });
  }

  list(): FollowerRecord[] {
    return [...this.#followers.values()]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, revision, seenAt }) => ({ name, revision, seenAt }));
  }

  forget(name: string): void {
    this.#writer.guard.attempt(
      this.#writer.db.transaction(() => {
        this.#writer.tables.followers.delete(name);
        this.#confirmations.forget(name);
      }),
    );
    this.#followers.delete(name);
    this.#notedAt.delete(name);
    this.#confirmations.reload();
  }

  /** Deletes outdated followers and images in one short step. Returns whether more are left. */
  step(): boolean {
    const { logSeconds, logBytes } = this.#limits();
    const { images, clock, meta, tables } = this.#writer;
    const silent = clock.now() - logSeconds * SECOND;
    for (const { name, seenAt } of this.list()) if (seenAt < silent) this.forget(name);
    // A follower that could not be stored, on a full disk, is unknown after a restart.
    for (const name of this.#confirmations.pending) if (!this.#followers.has(name)) this.forget(name);
    const isNeeded = this.#followers.size > 0;
    const from = isNeeded ? Math.max(images.from ?? 0, meta.number('oldest') ?? 0) : null;
    if (from !== images.from) this.#keepFrom(from);
    const had = Math.min(...[...this.#followers.values()].map(({ revision }) => revision));
    const newest = tables.logImages.lastEndOffset();
    let last: { revision: number; endOffset: number } | null = null;
    let begins: number | null = null;
    for (const row of tables.logImages.oldest(REVISIONS_A_STEP)) {
      const isKept =
        from !== null && row.revision >= from && row.revision > had && newest - row.endOffset < logBytes;
      begins ??= row.endOffset;
      if (isKept || row.endOffset - begins > BYTES_A_STEP) break;
      last = row;
    }
    if (last === null) return false;
    const { revision } = last;
    const begin = from === null ? null : Math.max(from, revision + 1);
    this.#writer.maintain(() => {
      tables.documentImages.deleteThrough(revision);
      tables.logImages.deleteThrough(revision);
      if (begin !== from) images.keepFrom(begin);
    });
    images.confirmFrom(begin);
    return true;
  }

  #keepFrom(revision: number | null): void {
    const { images } = this.#writer;
    this.#writer.maintain(() => images.keepFrom(revision));
    images.confirmFrom(revision);
  }

  #keep(follower: StoredFollower, imagesFrom: number | null): void {
    const { db, images, tables } = this.#writer;
    const isFirst = images.from !== imagesFrom;
    const keep = db.transaction(() => {
      tables.followers.put(follower);
      if (isFirst) images.keepFrom(imagesFrom);
    });
    // A follower can still read from a full disk: only the first one, which makes the store keep images, is refused.
    if (isFirst) this.#writer.guard.attempt(keep);
    else this.#writer.guard.tryRecord(keep);
    images.confirmFrom(imagesFrom);
    this.#followers.set(follower.name, follower);
    this.#notedAt.set(follower.name, follower.seenAt);
  }
}
