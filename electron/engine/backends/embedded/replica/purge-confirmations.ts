import type { PurgeRecord } from '../../../../../shared/contract/expired.ts';
import type { PurgeMark } from '../../../../../shared/contract/replication.ts';
import type { Writer } from '../write/writer.ts';

type FollowerState = PurgeRecord['followers'][number];

interface Unconfirmed {
  follower: string;
  /** The first purge that it has not confirmed. */
  first: number;
  /** How many wait for it; 0: it was forgotten. */
  pending: number;
}

/** Which followers have erased what was purged, and which are still to [X4]. A purge is over when none is pending. */
export class PurgeConfirmations {
  readonly #writer: Writer;
  readonly #sql;
  #latest: PurgeMark | null = null;
  /** By follower: in memory, since a follower says how far it is with every question. */
  #unconfirmed = new Map<string, Unconfirmed>();

  constructor(writer: Writer) {
    this.#writer = writer;
    this.#sql = prepare(writer);
    this.reload();
  }

  /** Null: nothing was purged yet. */
  get latest(): PurgeMark | null {
    return this.#latest;
  }
  /** Followers that a purge waits for. */
  get pending(): string[] {
    return [...this.#unconfirmed.values()].flatMap(({ follower, pending }) =>
      pending > 0 ? [follower] : [],
    );
  }

  /** To be called after a transaction that changed purges or their followers is durable. */
  reload(): void {
    this.#latest = this.#sql.latest.get() ?? null;
    this.#unconfirmed = new Map(this.#sql.unconfirmed.all().map(one => [one.follower, one]));
  }

  /** By the purge's id; followers by name. */
  byPurge(): Map<number, FollowerState[]> {
    const found = new Map<number, FollowerState[]>();
    for (const { purge, ...follower } of this.#sql.all.all()) {
      const others = found.get(purge);
      if (others === undefined) found.set(purge, [follower]);
      else others.push(follower);
    }
    return found;
  }

  /** Inside the transaction that records a purge. */
  expect(purge: number, followers: readonly string[], at: number): void {
    for (const follower of followers) this.#sql.expect.run(purge, follower, at);
    this.#sql.settle.run(at);
  }

  confirm(follower: string, throughPurge: number): void {
    const { db, clock } = this.#writer;
    const first = this.#unconfirmed.get(follower)?.first;
    if (first === undefined || throughPurge < first) return;
    const confirm = db.transaction(() => {
      this.#sql.confirm.run(clock.now(), follower, throughPurge);
      this.#sql.settle.run(clock.now());
    });
    this.#writer.note(confirm);
    this.reload();
  }

  /** Inside the transaction that forgets a follower. */
  forget(follower: string): void {
    const now = this.#writer.clock.now();
    this.#sql.forget.run(now, follower);
    this.#sql.settle.run(now);
  }
}

function prepare({ db }: Writer) {
  return {
    unconfirmed: db.prepare<[], Unconfirmed>(
      `SELECT follower, min(purge) AS first, sum(state = 'pending') AS pending
       FROM purge_followers WHERE state <> 'confirmed' GROUP BY follower`,
    ),
    latest: db.prepare<[], PurgeMark>('SELECT id, revision FROM purges ORDER BY id DESC LIMIT 1'),
    all: db.prepare<[], FollowerState & { purge: number }>(
      'SELECT purge, follower AS name, state, at FROM purge_followers ORDER BY purge, follower',
    ),
    expect: db.prepare<[number, string, number]>(`INSERT INTO purge_followers VALUES (?, ?, 'pending', ?)`),
    confirm: db.prepare<[number, string, number]>(
      `UPDATE purge_followers SET state = 'confirmed', at = ?
       WHERE follower = ? AND purge <= ? AND state <> 'confirmed'`,
    ),
    forget: db.prepare<[number, string]>(
      `UPDATE purge_followers SET state = 'forgotten', at = ? WHERE follower = ? AND state = 'pending'`,
    ),
    settle: db.prepare<[number]>(
      `UPDATE purges SET purged_at = ? WHERE purged_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM purge_followers WHERE purge = purges.id AND state = 'pending')`,
    ),
  };
}
