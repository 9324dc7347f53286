import type { PurgeMark } from '../../../../../shared/contract/replication.ts';
import type { FollowerState, UnconfirmedFollower } from '../tables/purge-followers.ts';
import type { Writer } from '../write/writer.ts';

/**
 * Followers that have erased purged data, and those that have not yet [X4]. A purge is complete when none is pending.
 */
export class PurgeConfirmations {
  readonly #writer: Writer;
  #latest: PurgeMark | null = null;
  /** By follower name. In memory, since a follower reports its position with every request. */
  #unconfirmed = new Map<string, UnconfirmedFollower>();

  constructor(writer: Writer) {
    this.#writer = writer;
    this.reload();
  }

  /** The last purge that began; null if there is none. */
  get latest(): PurgeMark | null {
    return this.#latest;
  }
  /** Followers that have not confirmed every purge. */
  get pending(): string[] {
    return [...this.#unconfirmed.values()].flatMap(({ follower, pending }) =>
      pending > 0 ? [follower] : [],
    );
  }

  /** Call after a transaction that changed purges or their followers is durable. */
  reload(): void {
    const { purges, purgeFollowers } = this.#writer.tables;
    this.#latest = purges.latest();
    this.#unconfirmed = new Map(purgeFollowers.unconfirmed().map(one => [one.follower, one]));
  }

  /** By the purge's id; followers by name. */
  byPurge(): Map<number, FollowerState[]> {
    const found = new Map<number, FollowerState[]>();
    for (const { purge, ...follower } of this.#writer.tables.purgeFollowers.all()) {
      const others = found.get(purge);
      if (others === undefined) found.set(purge, [follower]);
      else others.push(follower);
    }
    return found;
  }

  /** Inside the transaction that begins a purge. */
  expect(purge: number, followers: readonly string[], at: number): void {
    const { purgeFollowers } = this.#writer.tables;
    for (const follower of followers) purgeFollowers.expect(purge, follower, at);
  }

  confirm(follower: string, throughPurge: number): void {
    const { db, clock, tables } = this.#writer;
    const first = this.#unconfirmed.get(follower)?.first;
    if (first === undefined || throughPurge < first) return;
    const confirm = db.transaction(() => {
      tables.purgeFollowers.confirmThrough(follower, throughPurge, clock.now());
      tables.purges.settle(clock.now());
    });
    this.#writer.guard.tryRecord(confirm);
    this.reload();
  }

  /** Inside the transaction that removes a follower. */
  forget(follower: string): void {
    const { clock, tables } = this.#writer;
    const now = clock.now();
    tables.purgeFollowers.forget(follower, now);
    tables.purges.settle(now);
  }
}
