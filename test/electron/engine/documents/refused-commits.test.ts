import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { checkFile } from '../../../../electron/engine/backends/embedded/file/file-work.ts';
import { DAY, NOON, SECOND } from '../../../support/engine.ts';
import { FIRST_INTERVAL, outcomeOf, type Step } from '../../../support/interval-steps.ts';
import { disagreements } from '../../../support/recount.ts';
import { sources, steps } from '../../../support/stepped-history.ts';
import { indexed, type Stepped } from '../../../support/stepped-store.ts';

class Refused extends Error {}

/** Makes the writer's COMMIT fail once in stores that are opened from now on, each time that `arm` is called. */
function refuseCommits() {
  let isArmed = false;
  let refused = 0;
  const prepare = Sqlite.prototype.prepare;
  const spy = vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (this: Sqlite.Database, sql) {
    const statement = prepare.call(this, sql);
    if (sql !== 'COMMIT' || this.readonly) return statement;
    const { run } = statement;
    statement.run = () => {
      if (!isArmed) return Reflect.apply(run, statement, []);
      isArmed = false;
      refused += 1;
      throw new Refused();
    };
    return statement;
  });
  onTestFinished(() => spy.mockRestore());
  return {
    arm(): void {
      isArmed = true;
    },
    disarm(): void {
      isArmed = false;
    },
    get refused() {
      return refused;
    },
  };
}

const RUNS = Number(process.env.REFUSED_RUNS ?? 6);

it('[C1, V2] a store whose transactions are rolled back once each is the same as one in which each succeeds', async () => {
  const commits = refuseCommits();
  /** Runs a step whose first transaction fails when everything is written, and then runs it again. */
  const runTwice = async (stepped: Stepped, one: Step<Stepped>): Promise<string> => {
    const startedAt = stepped.clock.now();
    commits.arm();
    try {
      return await outcomeOf(stepped, one);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      stepped.clock.set(startedAt);
      return await outcomeOf(stepped, one);
    } finally {
      commits.disarm();
    }
  };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(1, null),
      sources,
      fc.array(steps, { minLength: 4, maxLength: 30 }),
      async (intervalFrom, source, history) => {
        const undisturbed = indexed(intervalFrom, source);
        const refused = indexed(intervalFrom, source);
        const done = [JSON.stringify(source)];
        for (const one of [FIRST_INTERVAL, ...history]) {
          done.push(one.name);
          expect(await runTwice(refused, one), done.join('\n')).toBe(await outcomeOf(undisturbed, one));
        }
        expect(await refused.seen(), done.join('\n')).toEqual(await undisturbed.seen());
        for (const stepped of [refused, undisturbed]) stepped.sweep(1_000_000);
        expect(await refused.seen(), done.join('\n')).toEqual(await undisturbed.seen());
        const { problems } = checkFile(refused.file, () => {});
        expect(problems, done.join('\n')).toEqual([]);
        for (const { store } of [refused, undisturbed]) await store.close();
        expect(disagreements(refused.file), done.join('\n')).toEqual([]);
      },
    ),
    { numRuns: RUNS, endOnFailure: false },
  );
  expect(commits.refused).toBeGreaterThan(RUNS);
}, 600_000);

it('[R5, S1] a sweep whose first transaction is rolled back goes on, also where it looks up single keys', async () => {
  const commits = refuseCommits();
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
  commits.arm();
  expect(() => stepped.store.expiry.sweep(1_000)).toThrow(Refused);
  stepped.sweep(100);
  expect(stepped.store.unswept()).toBe(0);
  await stepped.store.close();
  expect(disagreements(stepped.file)).toEqual([]);
});
