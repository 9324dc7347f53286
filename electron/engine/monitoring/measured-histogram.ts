import { Histogram, type HistogramConfiguration, type LabelValues } from 'prom-client';
import type { CumulativeBuckets } from '../expiry/meters/cumulative-buckets.ts';

type Sample = { metricName: string; labels: LabelValues<string>; value: number };

/** A histogram of values that the meters have counted already. Durations are given in ms and written in seconds. */
export class MeasuredHistogram extends Histogram {
  readonly #config: HistogramConfiguration<string>;
  readonly #samples: Sample[] = [];

  constructor(config: HistogramConfiguration<string>) {
    super(config);
    this.#config = config;
  }

  set(labels: LabelValues<string>, counts: CumulativeBuckets): void {
    const { name } = this.#config;
    const buckets = counts.cumulative();
    for (const [i, bound] of counts.bounds.entries()) {
      this.#samples.push({
        metricName: `${name}_bucket`,
        labels: { le: bound / 1000, ...labels },
        value: buckets[i] ?? 0,
      });
    }
    this.#samples.push(
      { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: counts.count },
      { metricName: `${name}_sum`, labels, value: counts.sum / 1000 },
      { metricName: `${name}_count`, labels, value: counts.count },
    );
  }

  /** Called by the registry when it writes its text. */
  async getForPromString() {
    const { name, help } = this.#config;
    return { name, help, type: 'histogram', values: this.#samples };
  }
}
