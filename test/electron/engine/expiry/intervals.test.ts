import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFile } from '../../../../electron/engine/backends/embedded/file/file-work.ts';
import { on } from '../../../support/documents.ts';
import { NOON, SECOND } from '../../../support/engine.ts';
import { FIRST_INTERVAL, outcomeOf } from '../../../support/interval-steps.ts';
import { disagreements } from '../../../support/recount.ts';
import { runsHere } from '../../../support/runs-here.ts';
import { NO_SMALL_DISK, smallDisk } from '../../../support/small-disk.ts';
import { manyLate, named, sources, steps } from '../../../support/stepped-history.ts';
import { indexed, type Stepped } from '../../../support/stepped-store.ts';

const MIB = 1024 * 1024;

/** A store with an interval of four documents, of which none is listed. */
function withFourExpired(): Stepped {
  const stepped = indexed(2);
  stepped.write(named(4).map(_id => ({ _id, exp: NOON })));
  stepped.reap();
  return stepped;
}

const RUNS = Number(process.env.INTERVAL_RUNS ?? 8);

describe('documents that expire as an interval', () => {
  it('[V1, V3, X2, X4, C4, D8, D10, E1, R3] are removed, listed, told, restored and purged like documents that expire one by one', async () => {
    const intervals = new Map<string, number>();
    const histories = fc.tuple(fc.oneof(manyLate, steps), fc.array(steps, { minLength: 4, maxLength: 30 }));
    await fc.assert(
      fc.asyncProperty(sources, histories, async (source, [first, history]) => {
        const pair = [indexed(null, source), indexed(1, source)] as const;
        const done = [JSON.stringify(source)];
        for (const one of [FIRST_INTERVAL, first, ...history]) {
          done.push(one.name);
          const [oneByOne, atOnce] = pair;
          expect(await outcomeOf(atOnce, one), done.join('\n')).toBe(await outcomeOf(oneByOne, one));
          expect(await atOnce.seen(), done.join('\n')).toEqual(await oneByOne.seen());
          const { problems } = checkFile(atOnce.file, () => {});
          expect(problems, done.join('\n')).toEqual([]);
        }
        for (const [kind, count] of pair[1].intervals)
          intervals.set(kind, (intervals.get(kind) ?? 0) + count);
        for (const stepped of pair) stepped.sweep(1_000_000);
        expect(await pair[1].seen(), 'swept').toEqual(await pair[0].seen());
        for (const { store } of pair) await store.close();
        expect(disagreements(pair[1].file), done.join('\n')).toEqual([]);
      }),
      { numRuns: RUNS, endOnFailure: false },
    );
    expect(intervals.get('explicit') ?? 0).toBeGreaterThan(0);
    expect(intervals.size).toBeGreaterThan(1);
  }, 600_000);

  it('[V5] are removed at once while a follower is registered, too', async () => {
    const stepped = indexed(1);
    const { store, clock } = stepped;
    store.followers.register('paris', '');
    const expired: (number | undefined)[] = [];
    store.onCommit(({ changes }) => {
      for (const { kind, documents } of changes) if (kind === 'expire') expired.push(documents);
    });
    stepped.write(Array.from({ length: 3 }, (_, i) => ({ _id: `d${i}`, exp: NOON + SECOND })));
    clock.advance(SECOND);
    stepped.reap();
    expect(expired).toEqual([3]);
    await store.close();
  });

  it.runIf(runsHere('an interval on a small disk', NO_SMALL_DISK))(
    '[S1] are removed one by one where their history does not fit beside them',
    async () => {
      const disk = smallDisk(64 * MIB);
      const stepped = indexed(100, on('exp'), join(disk.folder, 's.sandglass'));
      const { store, clock } = stepped;
      store.settings.change({ retention: 0 });
      const db = new Sqlite(stepped.file, { readonly: true });
      const intervals = db.prepare<[], number>('SELECT count(*) FROM expired_intervals').pluck();
      const expireMany = (name: string) => {
        const exp = clock.now() + SECOND;
        stepped.write(
          Array.from({ length: 2_500 }, (_, i) => ({ _id: `${name}${i}`, exp, text: 'x'.repeat(2_000) })),
        );
        clock.advance(SECOND);
      };
      expireMany('a');
      disk.fill(6 * MIB);
      clock.advance(SECOND);
      stepped.reap();
      expect([store.unswept(), intervals.get()]).toEqual([2_500, 0]);
      disk.empty();
      stepped.sweep(1_000_000);
      expireMany('b');
      clock.advance(SECOND);
      stepped.reap();
      expect([store.unswept(), intervals.get()]).toEqual([2_500, 1]);
      stepped.sweep(1_000_000);
      expect(store.unswept()).toBe(0);
      db.close();
      await store.close();
      expect(disagreements(stepped.file)).toEqual([]);
    },
  );

  it('[X4] are found after listed ones, however many of them are not listed yet', async () => {
    const one = indexed(1_000);
    const expiring = (name: string, count: number) =>
      one.write(Array.from({ length: count }, (_, i) => ({ _id: `${name}${i}`, exp: NOON })));
    expiring('listed', 5);
    one.reap();
    one.sweep(1_000_000);
    expiring('unlisted', 4_100);
    one.reap();
    expect(one.expiries()).toHaveLength(4_105);
    await one.store.close();
  });

  it('[X4] stay restored if they are purged before they are listed', async () => {
    const one = withFourExpired();
    const { store } = one;
    const [first = ''] = one.expiries();
    store.expired.restore([first], {
      expiration: { never: true },
      onConflict: 'skip',
      choices: {},
    });
    const ends = async () =>
      (await store.reads.expired({ collection: 'c', limit: 7 }, NOON)).expired.map(
        ({ id, isRestored, restorable }) => [id, isRestored, restorable !== null],
      );
    const [, ...others] = one.expiries();
    store.purges.releaseCopies([first, ...others]);
    const before = await ends();
    one.sweep(1_000_000);
    expect(before).toContainEqual([first, true, false]);
    expect(await ends()).toEqual(before);
    await store.close();
  });

  it('[X4] are erased together with their copies, even if these were not released before', async () => {
    const one = withFourExpired();
    const { store } = one;
    one.sweep(1_000_000);
    expect(store.purges.erase(one.expiries())).toHaveLength(4);
    await store.close();
    const db = new Sqlite(one.file, { readonly: true });
    expect(db.prepare('SELECT * FROM retained').all()).toEqual([]);
    db.close();
    expect(disagreements(one.file)).toEqual([]);
  });
});
