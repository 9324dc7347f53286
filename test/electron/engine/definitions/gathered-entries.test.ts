import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { on, refusal, write } from '../../../support/documents.ts';
import { DAY, HOUR, NOON, openTestEngine, SECOND, type TestEngine } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';

const DOCUMENTS = 640;
/** Longer than a build gathers entries before it writes them. */
const GATHERED = 6 * SECOND;
const BUILD = { kind: 'index', collection: 'c', index: 'built' } as const;
const RECOUNT = { kind: 'recount', collection: 'c' } as const;

const DEFINITION = {
  name: 'built',
  source: on('exp', { expireAfter: (30 * DAY) / SECOND }),
  onExpire: { action: 'delete' as const },
  schedule: { mode: 'exact' as const },
  limits: {},
  retention: null,
};

type Step =
  | { is: 'build'; steps: number }
  | { is: 'wait' | 'rollback' | 'restart' | 'new' }
  | { is: 'replace' | 'delete' | 'pin' | 'unpin'; row: number; at: number };

const row = fc.nat(DOCUMENTS - 1);
const at = fc.integer({ min: 0, max: 20 * HOUR });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ is: fc.constant('build' as const), steps: fc.integer({ min: 1, max: 60 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constantFrom('wait' as const, 'rollback' as const, 'restart' as const, 'new' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      is: fc.constantFrom('replace' as const, 'delete' as const, 'pin' as const, 'unpin' as const),
      row,
      at,
    }),
  },
);
/** Begins in the middle of writing a group. */
const steps: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.integer({ min: 50, max: 70 }),
    fc.integer({ min: 1, max: 4 }),
    fc.array(anyStep, { maxLength: 20 }),
  )
  .map(([read, written, others]) => [
    { is: 'build', steps: read },
    { is: 'wait' },
    { is: 'build', steps: 1 + written },
    ...others,
  ]);

/** Writes to documents whose entries were written before the others of their group were lost. */
const interrupted: Step[] = [
  { is: 'build', steps: 60 },
  { is: 'wait' },
  { is: 'build', steps: 3 },
  { is: 'rollback' },
  ...[0, 1, 2, 470, 475, 479].map((written): Step => ({ is: 'delete', row: written, at: 0 })),
  ...[5, 6, 7, 471, 476, 478].map((written): Step => ({ is: 'replace', row: written, at: HOUR })),
  ...[10, 11, 472, 477].map((written): Step => ({ is: 'pin', row: written, at: 0 })),
];

async function apply(test: TestEngine, step: Step): Promise<TestEngine> {
  const { client, engine } = test;
  switch (step.is) {
    case 'build':
      // Without a budget a step reads eight rows, or writes some entries.
      for (let i = 0; i < step.steps; i += 1)
        for (const target of engine.backend.pendingBackfills()) engine.backend.backfill(target, 0);
      return test;
    case 'wait':
      test.clock.advance(GATHERED);
      return test;
    case 'rollback':
      await refusal(client.documents.keepAlive({ collection: 'c', id: 'none' }));
      return test;
    case 'restart':
      return await test.reopen(0);
    case 'new':
      await write(client, 'c', [{ exp: NOON, other: NOON }]);
      return test;
    case 'replace':
      await client.documents.put({
        params: { collection: 'c', id: String(step.row) },
        body: { exp: NOON + step.at, other: NOON - step.at },
      });
      return test;
    case 'delete':
      await client.documents.delete({ collection: 'c', id: String(step.row) }).catch(() => null);
      return test;
    case 'pin':
      await client.documents
        .setExpiration({ params: { collection: 'c', id: String(step.row) }, body: { never: true } })
        .catch(() => null);
      return test;
    case 'unpin':
      await client.documents.clearExpiration({ collection: 'c', id: String(step.row) }).catch(() => null);
      return test;
  }
}

describe('a build that gathers entries', () => {
  it.each([
    ['an index', BUILD],
    ['a recount of the governing indexes', RECOUNT],
  ])(
    '[D9] of %s enters every document once, whatever is written, fails or restarts meanwhile',
    async (_, built) => {
      await fc.assert(
        fc.asyncProperty(steps, async given => {
          let test = openTestEngine();
          const { client, engine } = test;
          await client.collections.create({ name: 'c' });
          await write(
            client,
            'c',
            Array.from({ length: DOCUMENTS }, (_, i) => ({
              _id: String(i),
              exp: NOON + ((i * 7_919) % DAY),
              other: NOON - i,
            })),
          );
          if (built === RECOUNT) {
            await client.ttlIndexes.create({
              collection: 'c',
              name: 'first',
              source: on('exp', { expireAfter: (30 * DAY) / SECOND }),
            });
            await test.settle();
            const second = {
              ...DEFINITION,
              name: 'second',
              source: on('other', { expireAfter: (30 * DAY) / SECOND }),
            };
            engine.backend.createIndex('c', second, { by: 'ada' });
            const target = { ...BUILD, index: 'second' };
            while (engine.backend.backfill(target, 10)?.finished === false);
          } else engine.backend.createIndex('c', DEFINITION, { by: 'ada' });
          for (const step of given) test = await apply(test, step);
          test.engine.indexBuilds.startPending();
          await test.settle();
          expect(test.complaints).toEqual([]);
          const { documents, withDeadline, recounting } = await test.client.collections.get({
            collection: 'c',
          });
          expect(recounting).toBe(false);
          expect(withDeadline).toBeLessThanOrEqual(documents);
          await test.stop();
          expect(disagreements(test.file)).toEqual([]);
        }),
        { numRuns: 10, examples: [[interrupted]] },
      );
    },
  );
});
