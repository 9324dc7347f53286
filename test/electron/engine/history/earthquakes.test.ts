import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { on } from '../../../support/documents.ts';
import { MINUTE, NOON, openTestEngine } from '../../../support/engine.ts';

const TEXT = readFileSync(new URL('../../../fixtures/earthquakes.ndjson', import.meta.url), 'utf8');
const QUAKES = TEXT.trim()
  .split('\n')
  .map((line): { _id: string; time: number } => JSON.parse(line));
const TIMES = QUAKES.map(({ time }) => time).sort((a, b) => a - b);
/** Instant at which one half of them is in the past and the other half in the future. */
const MIDDLE = TIMES[Math.floor(TIMES.length / 2) - 1] ?? 0;
const PAST = TIMES.filter(time => time <= MIDDLE).length;

async function imported() {
  const test = openTestEngine();
  const { client } = test;
  const job = await client.imports.start({
    collection: 'quakes',
    subject: 'earthquakes.ndjson',
    totalBytes: TEXT.length,
  });
  const A_PIECE = 100_001;
  for (let i = 0; i < TEXT.length; i += A_PIECE)
    await client.imports.append({ job: job.id, text: TEXT.slice(i, i + A_PIECE) });
  const ended = await client.imports.finish({ job: job.id });
  return { ...test, ended };
}

describe('a week of earthquakes', () => {
  it('[C1] is imported completely, 1,707 documents, in pieces of any size', async () => {
    const { client, ended } = await imported();
    expect(ended).toMatchObject({
      state: 'done',
      inserted: 1_707,
      updated: 0,
      rejectedCount: 0,
      committedLines: 1_707,
      done: TEXT.length,
    });
    expect(await client.collections.get({ collection: 'quakes' })).toMatchObject({
      documents: 1_707,
      state: 'none',
    });
    const quake = await client.documents.get({ collection: 'quakes', id: QUAKES[7]?._id ?? '' });
    expect(quake.document).toEqual(QUAKES[7]);
  });

  it('[D4, X3] declared in seconds never expires: wrong unit suspected, all of them', async () => {
    const { client } = await imported();
    const preview = await client.ttlIndexes.preview({
      collection: 'quakes',
      source: on('time', { unit: 'seconds', expireAfter: 60 }),
    });
    expect(preview).toMatchObject({ documents: 1_707, dueAtOnce: 0, later: 0, nextDeadlineAt: null });
    expect(preview.never).toMatchObject({
      count: 1_707,
      reasons: [{ reason: 'wrong unit suspected', count: 1_707 }],
    });
    expect(preview.never.reasons[0]?.examples).toHaveLength(3);
  });

  it('[D1, X3] with one half in the past has an exact preview, and loses exactly that half', async () => {
    const test = await imported();
    const { client, engine } = test;
    const expireAfter = (NOON - MIDDLE) / 1_000;
    const source = on('time', { expireAfter });
    const preview = await client.ttlIndexes.preview({ collection: 'quakes', source });
    expect(preview).toMatchObject({ dueAtOnce: PAST, never: { count: 0 }, documents: 1_707 });
    expect(preview.dueAtOnce + preview.nextHour + preview.nextDay + preview.nextWeek + preview.later).toBe(
      1_707,
    );
    expect(PAST).toBeGreaterThanOrEqual(853);

    await client.ttlIndexes.create({
      collection: 'quakes',
      name: 'age',
      source,
      expect: { dueAtOnce: preview.dueAtOnce },
    });
    await test.settle();
    const left = QUAKES.filter(({ time }) => time > MIDDLE).map(({ _id }) => _id);
    const page = await client.documents.list({ collection: 'quakes', limit: 1_000 });
    expect(page.documents.map(({ _id }) => _id)).toEqual(left.sort());
    const next = Math.min(...TIMES.filter(time => time > MIDDLE));
    expect(await client.collections.get({ collection: 'quakes' })).toMatchObject({
      nextDeadlineAt: next + expireAfter * 1_000,
    });

    const touched: string[] = [];
    engine.backend.onCommit(({ changes }) => touched.push(...changes.map(({ kind }) => kind)));
    await client.ttlIndexes.update({ collection: 'quakes', index: 'age', expireAfter: expireAfter + 3_600 });
    await test.settle();
    expect(await client.collections.get({ collection: 'quakes' })).toMatchObject({
      documents: 1_707 - PAST,
      nextDeadlineAt: next + (expireAfter + 3_600) * 1_000,
    });
    expect(engine.reaper.status.nextWakeAt).toBe(next + (expireAfter + 3_600) * 1_000);
    expect(new Set(touched)).toEqual(new Set(['definition']));
    const updated = (await client.documents.list({ collection: 'quakes', limit: 1_000 })).documents.map(
      ({ updatedAt }) => updatedAt,
    );
    expect(new Set(updated)).toEqual(new Set([NOON]));
    await test.advance(MINUTE);
  });
});
