import type { ChangeEvent } from '../../../../../shared/contract/events.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { EXPLICIT } from '../../../../../shared/model/ttl-index.ts';
import type { ChangesPage, ChangesQuery, LoggedEvent } from '../../backend.ts';
import type { Statement } from '../file/database.ts';
import type { Meta } from '../tables/meta.ts';
import { type LoggedChange, unpackChanges } from '../tables/packed-changes.ts';
import { ACTIONS } from '../tables/removals.ts';
import type { Reader } from './reader.ts';

/** A watch of one collection passes over what is not its own: so many revisions, and so much text, a read. */
const REVISIONS_A_READ = 2_000;
const TEXT_A_READ = 4 * 1024 * 1024;

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

/** The change log as events: each revision's in order, and the marker behind them [V2, V3, V4]. */
export class ChangeReader {
  readonly #meta: Meta;
  readonly #sql: {
    rows: Statement<[number, number], LogRow>;
    removals: Statement<[number, number], RemovalRow>;
    names: Statement<[string], number>;
  };
  /** The last revision read: a large one is told in many pages. */
  #last: { revision: number; changes: LoggedChange[] } | null = null;

  constructor({ db, meta }: Pick<Reader, 'db' | 'meta'>) {
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

  /** Throws REVISION_COMPACTED, with `oldest`, where the log does not reach back to `from` any more. */
  read({ from, collection, limit }: ChangesQuery): ChangesPage {
    const oldest = this.#meta.number('oldest') ?? 1;
    const first = Math.max(1, from.revision);
    if (first < oldest) throw compacted(from.revision, oldest);
    let next = { revision: first, position: from.revision < 1 ? 0 : from.position };
    const events: LoggedEvent[] = [];
    const name = collection === undefined ? null : JSON.stringify(collection);
    let passed = 0;
    let text = 0;
    for (const row of this.#sql.rows.iterate(first, REVISIONS_A_READ)) {
      passed += 1;
      text += row.changes.length;
      const start = row.revision === next.revision ? next.position : 0;
      if (name === null || row.changes.includes(name)) {
        const end = this.#tell(row, { start, most: limit - events.length, collection }, events);
        if (end !== null) return { events, next: { revision: row.revision, position: end }, isEnd: false };
      }
      next = { revision: row.revision + 1, position: 0 };
      if (events.length >= limit || text > TEXT_A_READ) return { events, next, isEnd: false };
    }
    return { events, next, isEnd: passed < REVISIONS_A_READ };
  }

  /** Whether something of a collection is told, of whatever name, even of one that is gone. */
  tellsOf(collection: string): boolean {
    return this.#sql.names.get(JSON.stringify(collection)) !== undefined;
  }

  #changesOf({ revision, changes }: LogRow): LoggedChange[] {
    if (this.#last?.revision !== revision) this.#last = { revision, changes: unpackChanges(changes) };
    return this.#last.changes;
  }

  /** From `start` on, at most `most` changes and the marker; answers where to go on, null: behind this revision. */
  #tell(
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
      // What was purged is told to nobody any more; the others keep their places [X4].
      if (kind !== 'expire') event = id === null ? null : { ...place, kind, _id: id };
      else if (removal !== undefined) event = { ...place, kind, ...causeOf(removal, at) };
      if (event !== null) events.push({ id: `${revision}.${position}`, event });
    }
    if (end < changes.length) return end;
    events.push({ id: `${revision}.${changes.length}`, event: { kind: 'end', revision, at } });
    return null;
  }

  /** The expiries between two positions of one revision, by position: their rows follow each other. */
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
    `The log begins at revision ${oldest}; what happened from ${from} on is not kept any more. Read the documents anew, and watch from ${oldest} or later.`,
    { from, oldest },
  );
}
