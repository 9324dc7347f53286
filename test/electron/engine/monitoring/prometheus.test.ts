import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { on, write } from '../../../support/documents.ts';
import { HOUR, MINUTE, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { type Family, parseExposition } from '../../../support/exposition.ts';

async function scrape({ client }: TestEngine): Promise<Map<string, Family>> {
  return parseExposition((await client.metrics.prometheus()).text);
}

/** Returns the value of one series; undefined if it is not exposed. */
function seriesValue(families: Map<string, Family>, name: string, labels: Record<string, string>) {
  const samples = [...families.values()].flatMap(family => family.samples);
  return samples.find(
    sample =>
      sample.name === `sandglass_ttl_${name}` &&
      JSON.stringify(Object.entries(sample.labels).sort()) === JSON.stringify(Object.entries(labels).sort()),
  )?.value;
}

async function withIndex(name = 'c') {
  const test = openTestEngine();
  await test.client.collections.create({ name });
  await test.client.ttlIndexes.create({ collection: name, name: 'exp', source: on('exp') });
  await test.settle();
  return test;
}

describe('the text for Prometheus', () => {
  it('[M2] has the figures of each collection, in seconds and bytes', async () => {
    const test = await withIndex();
    const { client } = test;
    await client.collections.create({ name: 'other' });
    await write(client, 'c', [{ exp: NOON + SECOND }, { exp: NOON + 30 * SECOND }, { exp: NOON + HOUR }, {}]);
    await client.reaper.pause({});
    await test.advance(2_500);
    const paused = await scrape(test);
    const ofC = { collection: 'c' };
    const { bytes } = await client.metrics.get(ofC);
    for (const [name, value] of Object.entries({
      documents: 4,
      documents_bytes: bytes,
      with_deadline: 3,
      overdue: 1,
      oldest_overdue_seconds: 1.5,
      quarantined: 0,
      paused: 1,
      next_deadline_timestamp_seconds: NOON / 1000 + 30,
      written_total: 4,
      expired_total: 0,
    }))
      expect(seriesValue(paused, name, ofC), name).toBe(value);
    expect(seriesValue(paused, 'documents', { collection: 'other' })).toBe(0);
    expect(seriesValue(paused, 'next_deadline_timestamp_seconds', { collection: 'other' })).toBeUndefined();
    expect(seriesValue(paused, 'time_to_drain_seconds', ofC)).toBeUndefined();
    expect(seriesValue(paused, 'reaper_state', { state: 'paused' })).toBe(1);
    expect(seriesValue(paused, 'reaper_state', { state: 'running' })).toBe(0);
    await client.reaper.resume({});
    await test.settle();
    const resumed = await scrape(test);
    for (const [name, value] of Object.entries({
      overdue: 0,
      oldest_overdue_seconds: 0,
      expired_total: 1,
      selected_total: 1,
      paused: 0,
      time_to_drain_seconds: 0,
    }))
      expect(seriesValue(resumed, name, ofC), name).toBe(value);
    expect(seriesValue(resumed, 'next_wakeup_timestamp_seconds', {})).toBe(NOON / 1000 + 30);
    expect(seriesValue(resumed, 'revision', {})).toBe(test.engine.backend.revision);
    expect(seriesValue(resumed, 'store_bytes', {})).toBe(test.engine.backend.bytes());
    // The expired document is restorable, and the log contains every change so far.
    expect(seriesValue(resumed, 'retained_bytes', {})).toBeGreaterThan(10);
    const before = seriesValue(resumed, 'log_bytes', {}) ?? 0;
    await write(client, 'other', [{}]);
    expect(seriesValue(await scrape(test), 'log_bytes', {})).toBeGreaterThan(before);
  });

  it('[M2] counts lags into cumulative buckets that end in all of them', async () => {
    const test = await withIndex();
    await write(test.client, 'c', [
      { exp: NOON + SECOND },
      { exp: NOON + SECOND - 60 },
      { exp: NOON + SECOND - 700 },
    ]);
    // The timer fires 40, 100 and 740 ms late.
    test.clock.set(NOON + SECOND + 40);
    test.clock.advance(0);
    test.engine.reaper.wake(new Set());
    await test.settle();
    const families = await scrape(test);
    const bucket = (le: string) => seriesValue(families, 'lag_seconds_bucket', { collection: 'c', le });
    expect(['0.02', '0.05', '0.1', '0.5', '1', '+Inf'].map(bucket)).toEqual([0, 1, 2, 2, 3, 3]);
    expect(seriesValue(families, 'lag_seconds_count', { collection: 'c' })).toBe(3);
    expect(seriesValue(families, 'lag_seconds_sum', { collection: 'c' })).toBeCloseTo(0.88);
    expect(families.get('sandglass_ttl_lag_seconds')?.type).toBe('histogram');
    const buckets = families.get('sandglass_ttl_lag_seconds')?.samples.filter(({ labels }) => 'le' in labels);
    const values = buckets?.map(({ value }) => value) ?? [];
    expect(values.length).toBeGreaterThan(10);
    expect(values).toEqual([...values].sort((a, b) => a - b));
  });

  it('[M2] distinguishes names of any characters', async () => {
    const test = openTestEngine();
    const names = ['quote " and \\ slash', 'ends in \\', '⏳ é', 'a,collection="b"', '{}', 'x"} 1'];
    for (const name of names) {
      await test.client.collections.create({ name });
      await write(
        test.client,
        name,
        Array.from({ length: names.indexOf(name) + 1 }, () => ({})),
      );
    }
    const families = await scrape(test);
    for (const [i, collection] of names.entries())
      expect(seriesValue(families, 'documents', { collection }), collection).toBe(i + 1);
  });

  it('[M2] has counters that never decrease while the store is open, including passes', async () => {
    const test = await withIndex();
    const passes = async () =>
      seriesValue(await scrape(test), 'passes_total', { collection: 'c', ending: 'drained' }) ?? 0;
    await write(test.client, 'c', [{ exp: NOON + SECOND }, { exp: NOON + 2 * SECOND }, { exp: NOON + HOUR }]);
    await test.advance(3 * SECOND);
    // Within its minute a pass may continue, and end differently.
    expect(await passes()).toBe(0);
    expect((await test.client.metrics.get({})).passes).toEqual({ drained: 1 });
    await test.advance(2 * MINUTE);
    expect(await passes()).toBe(1);
    await test.advance(HOUR);
    await test.advance(2 * MINUTE);
    expect(await passes()).toBe(2);
    expect((await test.client.metrics.get({ collection: 'c' })).passes).toEqual({ drained: 2 });
    const { passes: rows } = await test.client.reaper.passes({});
    expect(rows).toHaveLength(2);
  });

  it('[M2] has exactly the series of docs/metrics.md, with type and meaning', async () => {
    const test = await withIndex();
    const listed = [
      ...readFileSync(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8').matchAll(
        /^\| `(sandglass_ttl_\w+)` \| (\w+) \| [^|]* \| (.+) \|$/gm,
      ),
    ].map(([, name, type, help]) => ({ name, type, help }));
    const exported = [...(await scrape(test)).values()].map(({ name, type, help }) => ({ name, type, help }));
    const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }) =>
      (a.name ?? '') < (b.name ?? '') ? -1 : 1;
    expect(listed.sort(byName)).toEqual(exported.sort(byName));
  });
});
