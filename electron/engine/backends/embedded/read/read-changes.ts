import { SandglassError } from '../../../../../shared/model/errors.ts';
import { EXPLICIT } from '../../../../../shared/model/ttl-index.ts';
import type { ChangesPage, ChangesQuery, LoggedEvent } from '../../backend.ts';
import type { Statement } from '../file/database.ts';
import { type ChangeRun, unpackRuns } from '../tables/change-log/packed-changes.ts';
import type { Meta } from '../tables/meta.ts';
import { ACTIONS } from '../tables/removals/removals.ts';
import type { UnlistedRemovals } from '../tables/removals/unlisted-removals.ts';
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
  seq: number;
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
    indexName: Statement<[number], string>;
    names: Statement<[string], number>;
  };
  /** Last revision read, since a large one spans many pages. */
  #last: { revision: number; runs: ChangeRun[]; length: number } | null = null;
  readonly #unlisted: UnlistedRemovals;

  constructor({ db, meta, unlisted }: Pick<ReadConnection, 'db' | 'meta' | 'unlisted'>) {
    this.#meta = meta;
    this.#unlisted = unlisted;
    this.#sql = {
      rows: db.prepare(
        `SELECT revision, at, removals_from AS removalsFrom, changes FROM log
         WHERE revision >= ? ORDER BY revision LIMIT ?`,
      ),
      removals: db.prepare(
        `SELECT r.seq, r.id, i.name AS "index", r.deadline, r.pass, r.action
         FROM removals AS r LEFT JOIN ttl_indexes AS i ON i.id = r.source
         WHERE r.seq >= ? AND r.seq < ? ORDER BY r.seq`,
      ),
      indexName: db.prepare<[number], string>('SELECT name FROM ttl_indexes WHERE id = ?').pluck(),
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

  #changesOf({ revision, changes }: LogRow): { runs: readonly ChangeRun[]; length: number } {
    if (this.#last?.revision !== revision) {
      const runs = unpackRuns(changes);
      this.#last = { revision, runs, length: runs.reduce((sum, run) => sum + run.length, 0) };
    }
    return this.#last;
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
    const { runs, length } = this.#changesOf(row);
    if (start > length) return null;
    if (only !== undefined && !runs.some(({ collection }) => collection === only)) return null;
    const end = Math.min(length, start + most);
    let from = 0;
    let removal = row.removalsFrom;
    for (const run of runs) {
      const to = from + run.length;
      const span = { from: Math.max(start, from), to: Math.min(end, to) };
      if (span.from < span.to && (only === undefined || run.collection === only))
        events.push(...this.#eventsOf(row, run, from, { ...span, removal }));
      if (run.kind === 'expire') removal += run.length;
      from = to;
      if (from >= end) break;
    }
    if (end < length) return end;
    events.push({ id: `${revision}.${length}`, event: { kind: 'end', revision, at } });
    return null;
  }

  /**
   * Returns the events of a part of one run, which begins at the position `first`; `removal` is the number of its first
   * expiry. A purged change is omitted; the others keep their positions [X4].
   */
  #eventsOf(
    { revision, at }: LogRow,
    { collection, kind, ids }: ChangeRun,
    first: number,
    { from, to, removal }: { from: number; to: number; removal: number },
  ): LoggedEvent[] {
    if (kind === 'expire')
      return this.#removals(removal + from - first, removal + to - first).map(
        ({ seq, id: _id, index, deadline: deadlineAt, pass, action: code }) => {
          const position = first + seq - removal;
          const action = ACTIONS[code] ?? ('delete' as const);
          const lagMs = Math.max(0, at - deadlineAt);
          // Written out: a cliff has millions, and objects put together from parts take longer.
          return {
            id: `${revision}.${position}`,
            event: {
              revision,
              at,
              position,
              collection,
              kind,
              _id,
              index: index ?? EXPLICIT,
              action,
              deadlineAt,
              lagMs,
              pass,
            },
          };
        },
      );
    return ids.slice(from - first, to - first).flatMap((_id, i) => {
      const position = from + i;
      return _id === null
        ? []
        : [{ id: `${revision}.${position}`, event: { revision, at, position, collection, kind, _id } }];
    });
  }

  /** Returns the removals from one number up to another, listed or not, in order. */
  #removals(from: number, to: number): RemovalRow[] {
    const names = new Map<number, string | null>();
    const nameOf = (source: number) => {
      if (!names.has(source)) names.set(source, this.#sql.indexName.get(source) ?? null);
      return names.get(source) ?? null;
    };
    const unlisted = this.#unlisted.between(from, to, to - from).map(({ seq, id, reference, interval }) => ({
      seq,
      id,
      index: nameOf(interval.source),
      deadline: reference + interval.addMs,
      pass: interval.pass,
      action: 0,
    }));
    const listed = unlisted.length === to - from ? [] : this.#sql.removals.all(from, to);
    return unlisted.length === 0 ? listed : [...listed, ...unlisted].sort((a, b) => a.seq - b.seq);
  }
}

function compacted(from: number, oldest: number): SandglassError {
  return new SandglassError(
    'REVISION_COMPACTED',
    `The log begins at revision ${oldest}; revision ${from} is no longer kept. Read the documents again, and watch from ${oldest} or later.`,
    { from, oldest },
  );
}
