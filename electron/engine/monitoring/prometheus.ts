import type { Monitored } from './monitored-store.ts';
import {
  type CollectionFigures,
  DURATIONS,
  OF_COLLECTIONS,
  OF_STORE,
  PASSES,
  PREFIX,
  REAPER_STATE,
} from './prometheus-metrics.ts';
import { reaperState } from './reaper-state.ts';
import { timeToDrainMs } from './time-to-drain.ts';

/**
 * The present figures as Prometheus text [M2]. A registry is filled for each scrape from existing counts, so that
 * nothing is counted twice and a dropped collection leaves no series behind.
 */
export async function prometheusText(engine: Monitored): Promise<{ text: string; contentType: string }> {
  // Loaded on first use, to keep the start fast.
  const { Counter, Gauge, Registry } = await import('prom-client');
  const { MeasuredHistogram } = await import('./measured-histogram.ts');
  const { backend, meters, clock } = engine;
  const now = clock.now();
  const summaries = await backend.reads.summaries(null, now);
  const reaper = reaperState(engine);
  const toDrain = await Promise.all(summaries.map(summary => timeToDrainMs(engine, [summary], now)));
  const collections = summaries.map((summary, i): CollectionFigures => {
    const timeToDrain = toDrain[i] ?? null;
    return {
      summary,
      meters: meters.of(summary.name),
      passes: meters.passes.over(summary.name, now),
      holds: reaper.holds.filter(({ collection }) => collection === summary.name).length,
      timeToDrain: timeToDrain === null ? null : timeToDrain / 1000,
      now,
    };
  });
  const registry = new Registry();
  const describe = (metric: { name: string; help: string }, ...labelNames: string[]) => ({
    name: PREFIX + metric.name,
    help: metric.help,
    labelNames,
    registers: [registry],
  });

  for (const measure of OF_COLLECTIONS) {
    const config = describe(measure, 'collection');
    const values = collections.flatMap(figures => {
      const value = measure.value(figures);
      return value === null ? [] : [{ labels: { collection: figures.summary.name }, value }];
    });
    if (measure.type === 'counter') {
      const counter = new Counter(config);
      for (const { labels, value } of values) counter.inc(labels, value);
    } else {
      const gauge = new Gauge(config);
      for (const { labels, value } of values) gauge.set(labels, value);
    }
  }
  for (const duration of DURATIONS) {
    const histogram = new MeasuredHistogram(describe(duration, 'collection'));
    for (const { summary, meters: measured } of collections)
      histogram.set({ collection: summary.name }, duration.of(measured));
  }
  const passes = new Counter(describe(PASSES, 'collection', 'ending'));
  for (const { summary, passes: counts } of collections)
    for (const [ending, count] of Object.entries(counts))
      passes.inc({ collection: summary.name, ending }, count);

  const store = {
    revision: backend.revision,
    bytes: backend.bytes(),
    storage: await backend.reads.storage(),
    reaper,
  };
  for (const measure of OF_STORE) {
    const value = measure.value(store);
    const gauge = new Gauge(describe(measure));
    if (value === null) gauge.remove();
    else gauge.set(value);
  }
  const state = new Gauge(describe(REAPER_STATE, 'state'));
  for (const name of REAPER_STATE.states) state.set({ state: name }, reaper.state === name ? 1 : 0);
  const families: string[] = [];
  for (const { name } of registry.getMetricsAsArray()) {
    families.push(await registry.getSingleMetricAsString(name));
    // A thousand collections make three megabytes: waiting calls are answered in between.
    await engine.yieldToCalls();
  }
  return { text: `${families.join('\n\n')}\n`, contentType: registry.contentType };
}
