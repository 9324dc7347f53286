import type { SeriesPoint } from '../../../../../shared/contract/metrics.ts';
import { mergePoints } from '../../../../../shared/model/minute-figures.ts';
import { HOUR, MINUTE } from '../../../deadline-index/count-levels.ts';
import { readMetricSeries, STORE_SERIES } from '../../../metric-series/metric-series-table.ts';
import type { MetricSeries, SeriesQuery } from '../../backend.ts';
import type { ReadConnection } from '../read/read-connection.ts';
import type { Writer } from '../write/writer.ts';

/** A chart of a day, and the hour before its beginning. */
const KEEP_MS = 25 * HOUR;
const MINUTES_AN_HOUR = HOUR / MINUTE;
/** Figures by the minute, kept for 25 hours [M1]. They are no change of the store, so they make no revision. */
export class EmbeddedSeries implements MetricSeries {
  readonly #writer: Writer;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  append(points: readonly { collection: string | null; point: SeriesPoint }[]): void {
    const { catalog, tables } = this.#writer;
    this.#writer.refuseWhileDiskFull();
    this.#writer.maintain(() => {
      for (const { collection, point } of points) {
        const id = collection === null ? STORE_SERIES : catalog.collections.get(collection)?.id;
        // Dropped since it was measured.
        if (id === undefined) continue;
        const minute = Math.floor(point.at / MINUTE);
        const before = tables.metricSeries.point(id, minute);
        const whole = before === undefined ? point : mergePoints(before, point);
        tables.metricSeries.put(id, minute, whole);
        // Once an hour, and not of all in the same minute.
        if (minute % MINUTES_AN_HOUR === id % MINUTES_AN_HOUR)
          tables.metricSeries.deleteBefore(id, minute - KEEP_MS / MINUTE);
      }
    });
  }
}

/** Oldest first. Throws COLLECTION_NOT_FOUND. Call inside a read transaction. */
export function readSeries(reader: ReadConnection, { collection, from, to }: SeriesQuery): SeriesPoint[] {
  const id = collection === undefined ? STORE_SERIES : reader.collection(collection).id;
  return readMetricSeries(reader.db, id, {
    from: Math.ceil(from / MINUTE),
    through: Math.floor(to / MINUTE),
  });
}
