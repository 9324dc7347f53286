import type { Database } from 'better-sqlite3';
import type { SeriesPoint } from '../../../shared/contract/metrics.ts';
import type { MetricSeries, MinuteStore, SeriesQuery } from '../backends/backend.ts';
import { MetricSeriesTable, readMetricSeries, STORE_SERIES } from '../metric-series/metric-series-table.ts';
import type { Logger } from '../platform/logger.ts';
import { MirroredCollections } from './collections-table.ts';
import { closeMirrorFile, openMirrorFile } from './mirror-file.ts';

/** Collections for which figures are kept: those of ten thousand tables would write a gigabyte a day. */
const MOST_COLLECTIONS = 500;

/** Figures per minute of a remote store that needs no mirror of its deadlines, in the file of its connection [M1]. */
export class MinuteFile implements MinuteStore {
  readonly #db: Database;
  readonly #series: MetricSeriesTable;
  readonly #collections: MirroredCollections;

  /** Throws STORE_IN_USE if another process has the file open. */
  constructor(file: string, log: Logger) {
    this.#db = openMirrorFile(file, log);
    this.#series = new MetricSeriesTable(this.#db);
    this.#collections = new MirroredCollections(this.#db);
  }

  append(points: Parameters<MetricSeries['append']>[0]): void {
    this.#db.transaction(() => {
      for (const { collection, point } of points) {
        const number = collection === null ? STORE_SERIES : this.#numberOf(collection, point.at);
        if (number !== null) this.#series.add(number, point);
      }
    })();
  }

  async read({ collection, from, to }: SeriesQuery): Promise<SeriesPoint[]> {
    const number = collection === undefined ? STORE_SERIES : this.#collections.known(collection)?.id;
    return number === undefined ? [] : readMetricSeries(this.#db, number, { from, to });
  }

  /** Without effect if it is closed. */
  close(): void {
    if (this.#db.open) closeMirrorFile(this.#db);
  }

  /** Null: there are too many collections. */
  #numberOf(name: string, at: number): number | null {
    const known = this.#collections.known(name);
    if (known !== undefined) return known.id;
    return [...this.#collections.all()].length < MOST_COLLECTIONS
      ? this.#collections.ensure(name, at).id
      : null;
  }
}
