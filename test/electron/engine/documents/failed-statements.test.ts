import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkFile } from '../../../../electron/engine/backends/embedded/file/file-work.ts';
import { DAY, NOON, SECOND } from '../../../support/engine.ts';
import { Failed, failingStatements, repeatedAfterFailure } from '../../../support/failing-statements.ts';
import { FIRST_INTERVAL, outcomeOf } from '../../../support/interval-steps.ts';
import { disagreements } from '../../../support/recount.ts';
import { sources, steps } from '../../../support/stepped-history.ts';
import { indexed } from '../../../support/stepped-store.ts';

const RUNS = Number(process.env.FAILURE_RUNS ?? 6);
/** A sweep of single slices is called often: one call in so many fails. */
const SWEEPS = 20;

it('[C1, V2] a store whose calls are rolled back at any statement, and repeated, is the same as an undisturbed one', async () => {
  const statements = failingStatements();
  const places = fc.infiniteStream(
    fc.tuple(fc.constantFrom(0, 1, 2, 3, 5, 8, 13, 20, 40, 80), fc.nat(SWEEPS - 1)),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(1, null),
      sources,
      places,
      fc.array(steps, { minLength: 4, maxLength: 30 }),
      async (intervalFrom, source, failures, history) => {
        const undisturbed = indexed(intervalFrom, source);
        const disturbed = indexed(intervalFrom, source);
        let isDisturbed = true;
        disturbed.wrap(store =>
          repeatedAfterFailure(store, statements, name => {
            const [after, turn] = failures.next().value;
            return isDisturbed && (name !== 'sweep' || turn === 0) ? after : null;
          }),
        );
        const done = [JSON.stringify(source)];
        for (const one of [FIRST_INTERVAL, ...history]) {
          done.push(one.name);
          expect(await outcomeOf(disturbed, one), done.join('\n')).toBe(await outcomeOf(undisturbed, one));
        }
        isDisturbed = false;
        expect(await disturbed.seen(), done.join('\n')).toEqual(await undisturbed.seen());
        for (const stepped of [disturbed, undisturbed]) stepped.sweep(1_000_000);
        expect(await disturbed.seen(), done.join('\n')).toEqual(await undisturbed.seen());
        const { problems } = checkFile(disturbed.file, () => {});
        expect(problems, done.join('\n')).toEqual([]);
        for (const { store } of [disturbed, undisturbed]) await store.close();
        expect(disagreements(disturbed.file), done.join('\n')).toEqual([]);
      },
    ),
    { numRuns: RUNS, endOnFailure: false },
  );
  expect(statements.failed).toBeGreaterThan(RUNS);
}, 600_000);

it('[R5, S1] a sweep that fails at any statement of its first step goes on, also where it looks up single keys', async () => {
  const statements = failingStatements();
  const stepped = indexed(null);
  // One of forty: fewer than those whose keys are found by reading all.
  const documents = Array.from({ length: 40 }, (_, i) => ({
    _id: `k${i}`,
    exp: NOON + (i === 0 ? 500 : DAY),
  }));
  stepped.write(documents);
  stepped.clock.advance(SECOND);
  stepped.reap();
  expect(stepped.store.unswept()).toBe(1);
  let failures = 0;
  for (let isFailing = true; isFailing; ) {
    statements.after(failures);
    try {
      stepped.store.expiry.sweep(1_000);
      isFailing = false;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      failures += 1;
    }
    statements.none();
  }
  expect(failures).toBeGreaterThan(5);
  stepped.sweep(100);
  expect(stepped.store.unswept()).toBe(0);
  await stepped.store.close();
  expect(disagreements(stepped.file)).toEqual([]);
});
