import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, NOON, SECOND } from '../../../support/engine.ts';
import { MISSING, type NaiveAction } from '../../../support/naive-store.ts';
import { disagreements } from '../../../support/recount.ts';
import { compareExpiries, compareStore, compareTexts, finishAndCompare } from './naive-store-comparison.ts';
import {
  action,
  DUE_AT_ONCE,
  fieldValue,
  IDS,
  type Operation,
  operation,
  prelude,
  purging,
  restoring,
  settings,
} from './naive-store-operations.ts';
import { StorePair } from './naive-store-pair.ts';

/** More documents than one read of a backfill, so that the test covers builds in progress. */
const OTHERS = 150;

describe('a store after any history', () => {
  it('[D2, D7, D8, D9, A1, A2, A3, A4, A5, R1, V1, X1, X2, C4, E1] equals a naive one that computes from every document', async () => {
    await fc.assert(
      fc.asyncProperty(
        prelude,
        fc.array(operation, { minLength: 5, maxLength: 40 }),
        async (first, operations) => {
          const folder = mkdtempSync(join(tmpdir(), 'sandglass-naive-'));
          const pair = new StorePair(join(folder, 'store'));
          try {
            const others = Array.from({ length: OTHERS }, (_, i) => `other ${i}`);
            const far = { at: NOON + 50 * DAY };
            for (let i = 0; i < OTHERS; i += 10) {
              await pair.run({
                do: 'write',
                ids: others.slice(i, i + 10),
                fields: {
                  a: { json: far.at, reading: far },
                  b: { json: null, reading: { reason: 'missing field' } },
                  t: MISSING,
                },
                mode: 'upsert',
              });
            }
            for (const step of first) await pair.run(step);
            await pair.build();
            for (const step of first.length === 0 ? [] : DUE_AT_ONCE) await pair.run(step);
            if (first.length > 0) await compareStore(pair);
            for (const [i, step] of operations.entries()) {
              await pair.run(step);
              if (i % 4 === 3) await compareStore(pair);
            }
            await finishAndCompare(pair);
            await pair.store.close();
            expect(disagreements(pair.file)).toEqual([]);
          } finally {
            await pair.store.close();
            rmSync(folder, { recursive: true, force: true });
          }
        },
      ),
      {
        numRuns: Number(process.env.SANDGLASS_RUNS ?? 8),
        ...(process.env.SANDGLASS_SEED ? { seed: Number(process.env.SANDGLASS_SEED) } : {}),
      },
    );
  }, 120_000);
});

/** Few documents that are nearly always due, so that row numbers are freed and used again. */
const FEW = IDS.slice(0, 3);
const few = fc.uniqueArray(fc.constantFrom(...FEW), { minLength: 1, maxLength: 2 });
const dueField = fc
  .constantFrom(NOON - SECOND, NOON - SECOND, NOON + SECOND)
  .map(at => ({ json: at, reading: { at } }));
/**
 * Limits of copies that are often too small for a single copy, so that copies are evicted before their retention ends.
 */
const tightSettings: fc.Arbitrary<Operation> = fc.record({
  do: fc.constant('settings' as const),
  retention: fc.constantFrom(5, 86_400, 86_400, 86_400),
  retentionBytes: fc.constantFrom(40, 40, 100, 1024 ** 3),
});
const expiring: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      ids: few,
      fields: fc.record({ a: dueField, b: fieldValue, t: fc.constant(MISSING) }),
      mode: fc.constantFrom('insert' as const, 'upsert' as const),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('reap' as const),
      source: fc.nat(1),
      most: fc.constantFrom(1, 1_000, 1_000),
      behind: fc.constant(0),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ do: 'sweep' as const, all: true }) },
  { weight: 1, arbitrary: fc.constant({ do: 'sweep' as const, all: false }) },
  { weight: 3, arbitrary: restoring },
  { weight: 1, arbitrary: purging },
  { weight: 4, arbitrary: tightSettings },
  { weight: 1, arbitrary: settings },
  { weight: 2, arbitrary: fc.constant({ do: 'reopen' as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), ids: few }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      ids: few,
      ahead: fc.constantFrom(1_000, 'never' as const, 'clear' as const),
      action,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pin in the archive' as const), ids: few }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      ms: fc.constantFrom(0, 3 * SECOND, 6 * SECOND, HOUR),
    }),
  },
);

/** Documents that expire on arrival, some of them swept: rows are freed from the last one on. */
const comeAndGo: fc.Arbitrary<Operation[]> = fc.tuple(few, fc.boolean()).map(([ids, isSwept]) => {
  const at = NOON - SECOND;
  const fields = { a: { json: at, reading: { at } }, b: MISSING, t: MISSING };
  const reap = (source: number) => ({ do: 'reap' as const, source, most: 1_000, behind: 0 });
  return [
    { do: 'write', ids, fields, mode: 'upsert' },
    reap(0),
    reap(1),
    ...(isSwept ? [{ do: 'sweep' as const, all: true }] : []),
  ];
});
const history: fc.Arbitrary<Operation[]> = fc
  .array(
    fc.oneof({ weight: 5, arbitrary: expiring.map(step => [step]) }, { weight: 1, arbitrary: comeAndGo }),
    { minLength: 10, maxLength: 30 },
  )
  .map(steps => steps.flat());

describe('expired documents, after any history', () => {
  it('[X4, E1, A2, A4, C4] are restorable or evicted as a naive store predicts, and restored unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<NaiveAction>('delete', 'delete', 'patch', 'move'),
        history,
        async (one, operations) => {
          const folder = mkdtempSync(join(tmpdir(), 'sandglass-naive-'));
          const pair = new StorePair(join(folder, 'store'));
          try {
            const source = { kind: 'field', field: 'a' } as const;
            await pair.run({ do: 'create index', name: 'one', source, expireAfter: 0, action: one });
            await pair.build();
            for (const step of operations) {
              await pair.run(step);
              await compareExpiries(pair);
              await compareTexts(pair, FEW);
            }
            await finishAndCompare(pair);
            await pair.store.close();
            expect(disagreements(pair.file)).toEqual([]);
          } finally {
            await pair.store.close();
            rmSync(folder, { recursive: true, force: true });
          }
        },
      ),
      {
        numRuns: Number(process.env.SANDGLASS_RUNS ?? 8),
        ...(process.env.SANDGLASS_SEED ? { seed: Number(process.env.SANDGLASS_SEED) } : {}),
      },
    );
  }, 120_000);
});
