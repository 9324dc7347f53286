import type { ChangeEvent } from '../../../../../shared/contract/events.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { EXPLICIT } from '../../../../../shared/model/ttl-index.ts';
import type { ChangesPage, ChangesQuery, LoggedEvent } from '../../backend.ts';
import type { Statement } from '../file/database.ts';
import { type LoggedChange, unpackChanges } from '../tables/change-log/packed-changes.ts';
import type { Meta } from '../tables/meta.ts';
import { ACTIONS } from '../tables/removals/removals.ts';
import type { ReadConnection } from './read-connection.ts';

/** Bounds of one read when a watch of one collection skips the changes of others. */
const REVISIONS_PER_READ = 2_000;
const TEXT_PER_READ = 4 * 1024 * 1024;

interface LogRow {
  revision: number;
  at: number;
  removalsFrom: number;
  changes: string;
}
interface RemovalRow {
  position: number;
  id: string;
  index: string | null;
  deadline: number;
  pass: number;
  action: number;
}

/** The change log as events: those of each revision in order, then its end marker [V2, V3, V4]. */
export class ChangeReader {
  readonly #meta: Meta;
  readonly #sql: {
    rows: Statement<[number, number], LogRow>;
    removals: Statement<[number, number], RemovalRow>;
    names: Statement<[string], number>;
  };
  /** Last revision read, since a large one spans many pages. */
  #last: { revision: number; changes: LoggedChange[] } | null = null;

  constructor({ db, meta }: Pick<ReadConnection, 'db' | 'meta'>) {
    this.#meta = meta;
    this.#sql = {
      rows: db.prepare(
        `SELECT revision, at, removals_from AS removalsFrom, changes FROM log
         WHERE revision >= ? ORDER BY revision LIMIT ?`,
      ),
      removals: db.prepare(
        `SELECT r.position, r.id, i.name AS "index", r.deadline, r.pass, r.action
         FROM removals AS r LEFT JOIN ttl_indexes AS i ON i.id = r.source WHERE r.seq >= ? AND r.seq < ?`,
      ),
      names: db.prepare<[string], number>('SELECT 1 FROM log WHERE instr(changes, ?) LIMIT 1').pluck(),
    };
  }

  /** Throws REVISION_COMPACTED, with `oldest`, if the log no longer reaches back to `from`. */
  read({ from, collection, limit }: ChangesQuery): ChangesPage {
    const oldest = this.#meta.number('oldest') ?? 1;
    const first = Math.max(1, from.revision);
    if (first < oldest) throw compacted(from.revision, oldest);
    let next = { revision: first, position: from.revision < 1 ? 0 : from.position };
    const events: LoggedEvent[] = [];
    const name = collection === undefined ? null : JSON.stringify(collection);
    let passed = 0;
    let text = 0;
    for (const row of this.#sql.rows.iterate(first, REVISIONS_PER_READ)) {
      passed += 1;
      text += row.changes.length;
      const start = row.revision === next.revision ? next.position : 0;
      if (name === null || row.changes.includes(name)) {
        const end = this.#append(row, { start, most: limit - events.length, collection }, events);
        if (end !== null) return { events, next: { revision: row.revision, position: end }, isEnd: false };
      }
      next = { revision: row.revision + 1, position: 0 };
      if (events.length >= limit || text > TEXT_PER_READ) return { events, next, isEnd: false };
    }
    return { events, next, isEnd: passed < REVISIONS_PER_READ };
  }

  /** Returns whether the log mentions a collection of that name, even a dropped one. */
  mentions(collection: string): boolean {
    return this.#sql.names.get(JSON.stringify(collection)) !== undefined;
  }

  #changesOf({ revision, changes }: LogRow): LoggedChange[] {
    if (this.#last?.revision !== revision) this.#last = { revision, changes: unpackChanges(changes) };
    return this.#last.changes;
  }

  /**
   * Appends the changes from `start` on, at most `most`, and the end marker. Returns where to continue; null after the
   * marker.
   */
  #append(
    row: LogRow,
    { start, most, collection: only }: { start: number; most: number; collection: string | undefined },
    events: LoggedEvent[],
  ): number | null {
    const { revision, at } = row;
    const changes = this.#changesOf(row);
    if (start > changes.length) return null;
    if (only !== undefined && !changes.some(({ collection }) => collection === only)) return null;
    const end = Math.min(changes.length, start + most);
    const removals = this.#removalsOf(row, changes, start, end);
    for (let position = start; position < end; position++) {
      const change = changes[position];
      if (change === undefined || (only !== undefined && change.collection !== only)) continue;
      const { collection, kind, id } = change;
      const place = { revision, at, position, collection };
      const removal = removals.get(position);
      let event: ChangeEvent | null = null;
      // A purged change is omitted; the others keep their positions [X4].
      if (kind !== 'expire') event = id === null ? null : { ...place, kind, _id: id };
      else if (removal !== undefined) event = { ...place, kind, ...causeOf(removal, at) };
      if (event !== null) events.push({ id: `${revision}.${position}`, event });
    }
    if (end < changes.length) return end;
    events.push({ id: `${revision}.${changes.length}`, event: { kind: 'end', revision, at } });
    return null;
  }

  /** Returns the expiries between two positions of one revision, by position; their rows are consecutive. */
  #removalsOf(
    { removalsFrom }: LogRow,
    changes: readonly LoggedChange[],
    start: number,
    end: number,
  ): Map<number, RemovalRow> {
    let first = removalsFrom;
    let count = 0;
    for (let position = 0; position < end; position++) {
      if (changes[position]?.kind !== 'expire') continue;
      if (position < start) first += 1;
      else count += 1;
    }
    if (count === 0) return new Map();
    return new Map(this.#sql.removals.all(first, first + count).map(row => [row.position, row]));
  }
}

function causeOf({ id, index, deadline, pass, action }: RemovalRow, at: number) {
  return {
    _id: id,
    index: index ?? EXPLICIT,
    action: ACTIONS[action] ?? ('delete' as const),
    deadlineAt: deadline,
    lagMs: Math.max(0, at - deadline),
    pass,
  };
}

function compacted(from: number, oldest: number): SandglassError {
  return new SandglassError(
    'REVISION_COMPACTED',
    `The log begins at revision ${oldest}; revision ${from} is no longer kept. Read the documents again, and watch from ${oldest} or later.`,
    { from, oldest },
  );
}
