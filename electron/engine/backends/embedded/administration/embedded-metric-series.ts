import type { SeriesPoint } from '../../../../../shared/contract/metrics.ts';
import { readMetricSeries, STORE_SERIES } from '../../../metric-series/metric-series-table.ts';
import type { MetricSeries, SeriesQuery } from '../../backend.ts';
import type { ReadConnection } from '../read/read-connection.ts';
import type { Writer } from '../write/writer.ts';

/**
 * Figures per minute, kept for 25 hours [M1]. Writing them makes no revision, since they are no change of the store.
 */
export class EmbeddedSeries implements MetricSeries {
  readonly #writer: Writer;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  append(points: readonly { collection: string | null; point: SeriesPoint }[]): void {
    const { catalog, tables } = this.#writer;
    this.#writer.guard.refuseWhileDiskFull();
    this.#writer.maintain(() => {
      for (const { collection, point } of points) {
        const id = collection === null ? STORE_SERIES : catalog.collections.get(collection)?.id;
        // The collection was dropped after it was measured.
        if (id === undefined) continue;
        tables.metricSeries.add(id, point);
      }
    });
  }
}

/** Oldest first. Throws COLLECTION_NOT_FOUND. Call inside a read transaction. */
export function readSeries(reader: ReadConnection, { collection, from, to }: SeriesQuery): SeriesPoint[] {
  const id = collection === undefined ? STORE_SERIES : reader.collection(collection).id;
  return readMetricSeries(reader.db, id, { from, to });
}
