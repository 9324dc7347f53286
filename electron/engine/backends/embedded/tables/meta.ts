import type { Database, Statement } from 'better-sqlite3';

/** Every key of `meta`, with the type of its value. A key without a row, or whose value is NULL, reads as null. */
interface MetaValues {
  /** The last revision. */
  revision: number;
  /** Version of the definitions, incremented by every change of one. */
  catalog: number;
  /** Number of the next index table. */
  nextSideTable: number;
  /** JSON {by, since}; null if the store is not paused. */
  paused: string;
  /** JSON of the settings that differ from their defaults [R3]. */
  settings: string;
  /** When the store was last known to be open, epoch ms [R9]. */
  lastOpenAt: number;
  /** Wall clock minus trusted time at `lastOpenAt`, ms [R10]. */
  clockOffset: number;
  /** Version of the expired intervals, incremented by every change of one; null: none was changed since there is a version. */
  intervals: number;
  /** Removals up to this `seq` are swept: rows above it are tombstones. */
  swept: number;
  /** Removals up to this `seq` are no longer in the change log; the remaining ones are kept for their copy. */
  pruned: number;
  /** Bytes of all restorable copies [X4]. */
  retainedBytes: number;
  /** The oldest revision in the change log [V3]. */
  oldest: number;
  /** The first revision with images for followers; null: no follower is registered [V5]. */
  imagesFrom: number;
  /** Identity of the store, for followers [V5]. */
  storeId: string;
  /** JSON {name, leader, progress, purged} of a store that mirrors another [V5]. */
  replica: string;
  /** JSON {file, at} of a backup that has not been opened yet [B1]. */
  restoredFrom: string;
  /** When the planner's statistics were last renewed, epoch ms. */
  statisticsRenewedAt: number;
}
type MetaKey = keyof MetaValues;
type KeyOf<Value> = { [Key in MetaKey]: MetaValues[Key] extends Value ? Key : never }[MetaKey];

/** The `meta` table: single values of a store, on any connection. */
export class Meta {
  readonly #number: Statement<[KeyOf<number>], number | null>;
  readonly #text: Statement<[KeyOf<string>], string | null>;
  readonly #set: Statement<[MetaKey, number | string | null]>;
  readonly #add: Statement<[number, KeyOf<number>]>;

  constructor(db: Database) {
    const read = 'SELECT value FROM meta WHERE key = ?';
    this.#number = db.prepare<[KeyOf<number>], number | null>(read).pluck();
    this.#text = db.prepare<[KeyOf<string>], string | null>(read).pluck();
    this.#set = db.prepare(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
    );
    this.#add = db.prepare('UPDATE meta SET value = value + ? WHERE key = ?');
  }

  number(key: KeyOf<number>): number | null {
    return this.#number.get(key) ?? null;
  }

  text(key: KeyOf<string>): string | null {
    return this.#text.get(key) ?? null;
  }

  set<Key extends MetaKey>(key: Key, value: MetaValues[Key] | null): void {
    this.#set.run(key, value);
  }

  /** Adds to a number; it must have a value. */
  add(key: KeyOf<number>, amount: number): void {
    this.#add.run(amount, key);
  }
}

/** Returns SQL for a value, for statements that compare rows with it. */
export function metaValue(key: KeyOf<number>): string {
  return `(SELECT value FROM meta WHERE key = '${key}')`;
}
