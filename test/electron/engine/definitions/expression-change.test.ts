import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BackfillTarget } from '../../../../electron/engine/backends/backend.ts';
import { refusal, write } from '../../../support/documents.ts';
import { DAY, HOUR, MINUTE, NOON, openTestEngine, type TestEngine } from '../../../support/engine.ts';

const OLD = 'doc.old';
const NEW = 'doc.new';
const place = { collection: 'c', index: 'exp' };
const SUCCESSOR = { kind: 'successor', ...place } as const;

/** Runs a whole build at once, without the background build. */
function build({ engine }: TestEngine, target: BackfillTarget): void {
  while (engine.backend.backfill(target, 0)?.finished === false);
}

function expression(text: string) {
  return { kind: 'expression' as const, expression: text };
}

async function filled(test: TestEngine, documents: readonly object[]): Promise<void> {
  await test.client.collections.create({ name: 'c' });
  await write(test.client, 'c', documents);
  await test.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: expression(OLD) });
  await test.settle();
}

/** Documents that the present expression keeps for a day, and another until `newAt`. */
function documents(count: number, newAt: (i: number) => number): object[] {
  return Array.from({ length: count }, (_, i) => ({
    _id: `d${i}`,
    old: (NOON + DAY) / 1_000,
    new: newAt(i) / 1_000,
  }));
}

async function stored({ client }: TestEngine): Promise<number> {
  return (await client.collections.get({ collection: 'c' })).documents;
}

describe('[D8] a change of the expression of an index', () => {
  it('is applied with its exact preview; the old expression is in effect until the new one is built', async () => {
    const test = openTestEngine();
    await filled(
      test,
      documents(300, i => (i < 120 ? NOON - HOUR : NOON + 2 * DAY)),
    );
    const query = { collection: 'c', name: 'exp', source: expression(NEW) };
    const preview = await test.client.ttlIndexes.preview(query);
    expect(preview).toMatchObject({ kind: 'change', dueAtOnce: 120 });
    const changed = await test.client.ttlIndexes.update({
      ...place,
      source: expression(NEW),
      expect: { dueAtOnce: 120, at: preview.at },
    });
    expect(changed).toMatchObject({
      source: expression(OLD),
      successor: { source: expression(NEW), by: 'ada' },
      state: 'ready',
    });
    expect(await stored(test)).toBe(300);
    await test.settle();
    expect(await test.client.ttlIndexes.get(place)).toMatchObject({
      source: expression(NEW),
      successor: null,
      documents: 180,
    });
    expect(await stored(test)).toBe(180);
    const [last] = await test.client.ttlIndexes.history(place);
    expect(last).toMatchObject({
      change: 'change',
      by: 'ada',
      before: { source: expression(OLD) },
      after: { source: expression(NEW) },
    });
    // The former expression is restored.
    await test.client.ttlIndexes.revert({ ...place, change: last?.id ?? 0 });
    await test.settle();
    expect(await test.client.ttlIndexes.get(place)).toMatchObject({
      source: expression(OLD),
      documents: 180,
    });
  });

  it('is built again if a restart or a crash interrupted it', async () => {
    const test = openTestEngine();
    await filled(
      test,
      documents(2_000, () => NOON + 2 * DAY),
    );
    await test.engine.indexBuilds.stop();
    await test.client.ttlIndexes.update({ ...place, source: expression(NEW) });
    expect(test.engine.backend.backfill(SUCCESSOR, 0)).toMatchObject({ finished: false });
    expect(await test.client.ttlIndexes.get(place)).toMatchObject({ source: expression(OLD) });
    await test.stop();
    const again = await test.reopen();
    await again.settle();
    expect(await again.client.ttlIndexes.get(place)).toMatchObject({
      source: expression(NEW),
      documents: 2_000,
    });
  });

  it('is refused with the column of a mistake, and the index does not change', async () => {
    const test = openTestEngine();
    await filled(
      test,
      documents(3, () => NOON),
    );
    const call = test.client.ttlIndexes.update({ ...place, source: expression('doc.new +') });
    expect(await refusal(call)).toMatchObject({ code: 'INVALID_TTL_INDEX' });
    const other = test.client.ttlIndexes.update({
      ...place,
      source: { kind: 'lastModified', expireAfter: 1 },
    });
    expect(await refusal(other)).toMatchObject({ code: 'INVALID_TTL_INDEX' });
    expect(await test.client.ttlIndexes.get(place)).toMatchObject({
      source: expression(OLD),
      successor: null,
    });
  });

  it('[R8] waits for confirmation if too many documents would be due, and the old one stays in effect', async () => {
    const test = openTestEngine();
    await test.client.settings.update({ breakerDocuments: 50 });
    await filled(
      test,
      documents(100, () => NOON - HOUR),
    );
    await test.client.ttlIndexes.update({ ...place, source: expression(NEW) });
    await test.settle();
    expect(await stored(test)).toBe(100);
    expect(await test.client.ttlIndexes.get(place)).toMatchObject({
      source: expression(OLD),
      pending: { source: expression(NEW), dueAtOnce: 100 },
    });
    await write(test.client, 'c', [
      { _id: 'later', old: (NOON + DAY) / 1_000, new: (NOON + MINUTE) / 1_000 },
    ]);
    await test.client.reaper.confirm({ collection: 'c' });
    await test.settle();
    expect(await stored(test)).toBe(1);
    expect(await test.client.ttlIndexes.get(place)).toMatchObject({ source: expression(NEW), pending: null });
  });

  it('accepts a change of another member, and another expression instead', async () => {
    const test = openTestEngine();
    await filled(
      test,
      documents(10, () => NOON + 2 * DAY),
    );
    await test.engine.indexBuilds.stop();
    await test.client.ttlIndexes.update({ ...place, source: expression('doc.other'), retention: 60 });
    await test.client.ttlIndexes.update({ ...place, limits: { batchSize: 7 } });
    expect(await test.client.ttlIndexes.get(place)).toMatchObject({
      source: expression(OLD),
      limits: { batchSize: 7 },
      retention: null,
      successor: { source: expression('doc.other') },
    });
    await test.client.ttlIndexes.update({ ...place, source: expression(NEW) });
    build(test, SUCCESSOR);
    expect(await test.client.ttlIndexes.get(place)).toMatchObject({
      source: expression(NEW),
      limits: { batchSize: 7 },
      retention: 60,
      documents: 10,
    });
  });

  it('ends when the old one is restored, the build is cancelled, or its index or collection is dropped', async () => {
    const test = openTestEngine();
    await filled(
      test,
      documents(10, () => NOON - HOUR),
    );
    await test.client.ttlIndexes.update({ ...place, source: expression(NEW) });
    await test.client.ttlIndexes.update({ ...place, source: expression(OLD) });
    await test.settle();
    expect(await test.client.ttlIndexes.get(place)).toMatchObject({ source: expression(OLD), documents: 10 });
    const { job } = await test.client.ttlIndexes.update({ ...place, source: expression(NEW) });
    if (job !== null) await test.client.jobs.cancel({ job });
    await test.settle();
    await test.client.ttlIndexes.update({ ...place, source: expression('doc.other') });
    await test.client.ttlIndexes.drop(place);
    await test.settle();
    expect(await stored(test)).toBe(job === null ? 0 : 10);
    expect(test.complaints).toEqual([]);
  });

  it('of an index without effect is built instead of the first one', async () => {
    const test = openTestEngine();
    await test.client.collections.create({ name: 'c' });
    await write(
      test.client,
      'c',
      documents(500, i => (i % 2 === 0 ? NOON - HOUR : NOON + DAY)),
    );
    await test.client.ttlIndexes.create({
      collection: 'c',
      name: 'exp',
      source: expression('doc.new - 172800'),
    });
    await test.client.ttlIndexes.update({ ...place, source: expression(NEW) });
    await test.settle();
    expect(await stored(test)).toBe(250);
  });
});

it('[D8] after any writes during the build, the entries equal those of an index created afterwards', async () => {
  const instant = fc.integer({ min: -20, max: 40 }).map(minutes => (NOON + minutes * MINUTE) / 1_000);
  const document = fc.record({
    _id: fc.integer({ min: 0, max: 30 }).map(i => `d${i}`),
    old: instant,
    new: instant,
  });
  const step = fc.oneof(
    fc.record({ kind: fc.constant('put' as const), document }),
    fc.record({
      kind: fc.constant('delete' as const),
      id: fc.integer({ min: 0, max: 30 }).map(i => `d${i}`),
    }),
    fc.record({ kind: fc.constant('pin' as const), id: fc.integer({ min: 0, max: 30 }).map(i => `d${i}`) }),
    fc.record({ kind: fc.constant('build' as const) }),
    fc.record({ kind: fc.constant('advance' as const), minutes: fc.integer({ min: 1, max: 10 }) }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(document, { maxLength: 30 }),
      fc.array(step, { maxLength: 20 }),
      async (first, steps) => {
        const test = openTestEngine();
        await test.client.settings.update({ breakerDocuments: 1_000 });
        await test.client.collections.create({ name: 'c' });
        await test.client.ttlIndexes.create({ collection: 'c', name: 'exp', source: expression(OLD) });
        await test.settle();
        // The test runs the build step by step.
        const { backend, indexBuilds, reaper } = test.engine;
        await indexBuilds.stop();
        await write(test.client, 'c', first, { mode: 'upsert' });
        await test.client.ttlIndexes.update({ ...place, source: expression(NEW) });
        for (const one of steps) {
          if (one.kind === 'put') await write(test.client, 'c', [one.document], { mode: 'upsert' });
          else if (one.kind === 'delete') backend.delete('c', [one.id]);
          else if (one.kind === 'pin') backend.setExpiration('c', [one.id], { never: true });
          else if (one.kind === 'build') backend.backfill(SUCCESSOR, 0);
          else {
            test.clock.advance(one.minutes * MINUTE);
            await reaper.whenIdle();
          }
        }
        await test.client.reaper.pause({});
        build(test, SUCCESSOR);
        build(test, { kind: 'recount', collection: 'c' });
        const changed = await test.client.ttlIndexes.get(place);
        await test.client.ttlIndexes.create({ collection: 'c', name: 'twin', source: expression(NEW) });
        build(test, { kind: 'index', collection: 'c', index: 'twin' });
        const twin = await test.client.ttlIndexes.get({ collection: 'c', index: 'twin' });
        const { documents: count, bytes, overdue, nextDeadlineAt, never } = changed;
        expect(changed.source).toEqual(expression(NEW));
        expect({ count, bytes, overdue, nextDeadlineAt, never }).toEqual({
          count: twin.documents,
          bytes: twin.bytes,
          overdue: twin.overdue,
          nextDeadlineAt: twin.nextDeadlineAt,
          never: twin.never,
        });
        expect(test.complaints).toEqual([]);
        await test.stop();
      },
    ),
    { numRuns: 25 },
  );
});
