import type { LogPosition } from '../../../../../shared/model/change-log/log-position.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { EXPLICIT } from '../../../../../shared/model/ttl-index.ts';
import type { ChangesPage, ChangesQuery, LoggedEvent } from '../../backend.ts';
import type { Statement } from '../file/database.ts';
import { type ChangeRun, unpackRuns } from '../tables/change-log/packed-changes.ts';
import type { Meta } from '../tables/meta.ts';
import { ACTIONS, type Removal } from '../tables/removals/removal.ts';
import type { RemovalReader } from '../tables/removals/removal-reader.ts';
import type { ReadConnection } from './read-connection.ts';

/** Bounds of one read that skips the changes of other collections. */
const REVISIONS_PER_READ = 2_000;
const TEXT_PER_READ = 4 * 1024 * 1024;

interface LogRow {
  revision: number;
  at: number;
  removalsFrom: number;
  changes: string;
}

/** The change log as events: those of each revision in order, then its end marker [V2, V3, V4]. */
export class ChangeReader {
  readonly #meta: Meta;
  readonly #sql: {
    rows: Statement<[number, number], LogRow>;
    removal: Statement<[position: number, revision: number, position: number], number>;
    indexName: Statement<[number], string>;
    names: Statement<[string, number, number], [revision: number, length: number, isNamed: 0 | 1]>;
  };
  /** Last revision read, since a large one spans many pages. */
  #last: { revision: number; runs: ChangeRun[]; length: number } | null = null;
  readonly #removals: RemovalReader;

  constructor({ db, meta, removals }: Pick<ReadConnection, 'db' | 'meta' | 'removals'>) {
    this.#meta = meta;
    this.#removals = removals;
    this.#sql = {
      rows: db.prepare(
        `SELECT revision, at, removals_from AS removalsFrom, changes FROM log
         WHERE revision >= ? ORDER BY revision LIMIT ?`,
      ),
      removal: db
        .prepare<[number, number, number], number>(
          'SELECT removals_from + ? FROM log WHERE revision = ? AND removals > ?',
        )
        .pluck(),
      indexName: db.prepare<[number], string>('SELECT name FROM ttl_indexes WHERE id = ?').pluck(),
      names: db
        .prepare<[string, number, number], [number, number, 0 | 1]>(
          'SELECT revision, octet_length(changes), instr(changes, ?) > 0 FROM log WHERE revision >= ? ORDER BY revision LIMIT ?',
        )
        .raw(),
    };
  }

  /**
   * Passes over entries before a position within the expiries of one commit, for a few milliseconds. Returns whether a
   * read from that position now takes no longer than that.
   */
  approach({ revision, position }: LogPosition): boolean {
    // An interval is alone in its revision.
    const seq = this.#sql.removal.get(position, revision, position);
    return seq === undefined || this.#removals.approach(seq);
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

  /**
   * Returns whether the log mentions a collection of that name, even a dropped one, as far as one call reads: `next` is
   * the revision from which to continue, null at the end of the log.
   */
  mentions(collection: string, from: number): { isMentioned: boolean; next: number | null } {
    const name = JSON.stringify(collection);
    let rows = 0;
    let text = 0;
    for (const [revision, length, isNamed] of this.#sql.names.iterate(name, from, REVISIONS_PER_READ)) {
      if (isNamed === 1) return { isMentioned: true, next: null };
      rows += 1;
      text += length;
      if (rows >= REVISIONS_PER_READ || text > TEXT_PER_READ)
        return { isMentioned: false, next: revision + 1 };
    }
    return { isMentioned: false, next: null };
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
      return this.#expiries(
        removal + from - first,
        removal + to - first,
        ({ seq, id: _id, deadlineAt, pass, action: code }, index) => {
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
              index,
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

  /** Returns what is made of each removal from one number up to another, in order, and of the name of its index. */
  #expiries<Made>(from: number, to: number, make: (removal: Removal, index: string) => Made): Made[] {
    const names = new Map<number, string>();
    const nameOf = (source: number) => {
      const name = names.get(source) ?? this.#sql.indexName.get(source) ?? EXPLICIT;
      names.set(source, name);
      return name;
    };
    return this.#removals.between(from, to, to - from).map(removal => make(removal, nameOf(removal.source)));
  }
}

function compacted(from: number, oldest: number): SandglassError {
  return new SandglassError(
    'REVISION_COMPACTED',
    `The log begins at revision ${oldest}; revision ${from} is no longer kept. Read the documents again, and watch from ${oldest} or later.`,
    { from, oldest },
  );
}
