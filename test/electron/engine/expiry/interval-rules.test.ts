import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { checkFile } from '../../../../electron/engine/backends/embedded/file/file-work.ts';
import { READING_RULES_VERSION } from '../../../../shared/model/reading-rules.ts';
import type { TtlSource } from '../../../../shared/model/ttl-index.ts';
import { on } from '../../../support/documents.ts';
import { DAY, HOUR, NOON, SECOND } from '../../../support/engine.ts';
import { disagreements } from '../../../support/recount.ts';
import { indexed, type Stepped } from '../../../support/stepped-store.ts';

const COUNT = 600;
const SOURCES: [string, TtlSource][] = [
  ['a field', on('exp')],
  ['an expression', { kind: 'expression', expression: 'doc.exp / 1000' }],
];

/** Makes a closed store one of former rules, which read each `exp` a day earlier than the present ones do. */
function asOfRulesThatReadEarlier(file: string): void {
  const former = READING_RULES_VERSION - 1;
  const db = new Sqlite(file);
  db.exec(`UPDATE documents_1 SET body = json_set(body, '$.exp', (body ->> '$.exp') + ${DAY});
           UPDATE expired_intervals SET rules = ${former};
           UPDATE ttl_indexes SET rules = ${former}`);
  db.close();
}

/** A store whose documents `d…` expired in one commit, and none of them is listed. */
function withInterval(source: TtlSource): Stepped {
  const stepped = indexed(1, source);
  stepped.write(Array.from({ length: COUNT }, (_, i) => ({ _id: `d${i}`, exp: NOON + 500 })));
  stepped.write([{ _id: 'lives', exp: NOON + 30 * DAY }]);
  stepped.clock.advance(SECOND);
  stepped.reap();
  expect(stepped.store.unswept()).toBe(COUNT);
  return stepped;
}

async function idsOf({ store, clock }: Stepped): Promise<string[]> {
  const list = { collection: 'c', limit: 10_000, sort: '_id', order: 'asc', includeExpired: true } as const;
  return (await store.reads.documents(list, clock.now())).documents.map(({ _id }) => _id);
}

async function countOf({ store, clock }: Stepped): Promise<number | undefined> {
  return (await store.reads.summaries(['c'], clock.now()))[0]?.documents;
}

/** Sweeps, expires all, and closes the store; returns what is wrong with it. */
async function wrongWith(stepped: Stepped): Promise<string[]> {
  stepped.build();
  stepped.sweep(1_000_000);
  stepped.clock.advance(60 * DAY);
  stepped.reap();
  stepped.sweep(1_000_000);
  expect(stepped.store.unswept()).toBe(0);
  expect(await countOf(stepped)).toBe(0);
  await stepped.store.close();
  return disagreements(stepped.file);
}

describe.each(SOURCES)('documents that expired as an interval by other reading rules, by %s', (_, source) => {
  it('[A6, D8] stay expired, and a write over one of them stays', async () => {
    const stepped = withInterval(source);
    await stepped.reopen(asOfRulesThatReadEarlier);
    expect(await idsOf(stepped)).toEqual(['lives']);
    stepped.write([{ _id: 'd7', exp: NOON + 30 * DAY }]);
    expect(await idsOf(stepped)).toEqual(['d7', 'lives']);
    expect(checkFile(stepped.file, () => {}).problems).toEqual([]);
    stepped.build();
    expect(await idsOf(stepped)).toEqual(['d7', 'lives']);
    stepped.sweep(1_000_000);
    expect(await idsOf(stepped)).toEqual(['d7', 'lives']);
    expect(await countOf(stepped)).toBe(2);
    expect(stepped.expiries()).toHaveLength(COUNT);
    expect(await wrongWith(stepped)).toEqual([]);
  });

  it('[A6, D10] stay expired beside what was backdated, which lives until it is removed', async () => {
    const stepped = withInterval(source);
    stepped.write([
      { _id: 'backdated', exp: NOON },
      { _id: 'd8', exp: NOON + 100 },
    ]);
    stepped.write([{ _id: 'lives', exp: NOON + 200 }]);
    const living = ['backdated', 'd8', 'lives'];
    expect(await idsOf(stepped)).toEqual(living);
    await stepped.reopen(asOfRulesThatReadEarlier);
    expect(await idsOf(stepped)).toEqual(living);
    stepped.write([{ _id: 'd8', exp: NOON + 30 * DAY }]);
    stepped.store.delete('c', ['backdated']);
    expect(checkFile(stepped.file, () => {}).problems).toEqual([]);
    stepped.build();
    expect(await idsOf(stepped)).toEqual(['d8', 'lives']);
    expect(await wrongWith(stepped)).toEqual([]);
  });

  it('[A6, S3] stay expired wherever the sweep was interrupted, before the index is rebuilt and after', async () => {
    for (const steps of [1, 2, 3, 5, 20, 60, 100]) {
      for (const isBuilt of [false, true]) {
        const stepped = withInterval(source);
        stepped.sweep(steps);
        await stepped.reopen(asOfRulesThatReadEarlier);
        expect(await idsOf(stepped), `${steps} steps`).toEqual(['lives']);
        if (isBuilt) stepped.build();
        stepped.write([{ _id: 'd9', exp: NOON + 30 * DAY }]);
        stepped.sweep(steps);
        await stepped.reopen();
        expect(await idsOf(stepped), `${steps} steps, twice`).toEqual(['d9', 'lives']);
        expect(await countOf(stepped)).toBe(2);
        expect(await wrongWith(stepped), `${steps} steps`).toEqual([]);
      }
    }
  }, 60_000);

  it('[A6] stay expired beside an interval of the rebuilt index', async () => {
    const stepped = withInterval(source);
    await stepped.reopen(asOfRulesThatReadEarlier);
    stepped.build();
    stepped.write(['e1', 'e2', 'e3'].map(_id => ({ _id, exp: NOON + HOUR })));
    stepped.clock.advance(2 * HOUR);
    stepped.reap();
    expect(stepped.store.unswept()).toBe(COUNT + 3);
    expect(await idsOf(stepped)).toEqual(['lives']);
    stepped.write(['d1', 'e1'].map(_id => ({ _id, exp: NOON + 30 * DAY })));
    await stepped.reopen();
    expect(await idsOf(stepped)).toEqual(['d1', 'e1', 'lives']);
    expect(await wrongWith(stepped)).toEqual([]);
  });
});

it('[E1, A6] explicit expirations that expired as an interval stay so, whatever rules the store is of', async () => {
  const stepped = indexed(1);
  const ids = Array.from({ length: 20 }, (_, i) => `d${i}`);
  stepped.write(ids.map(_id => ({ _id, exp: NOON + 30 * DAY })));
  stepped.store.setExpiration('c', ids.slice(0, 10), { after: 1 });
  stepped.clock.advance(2 * SECOND);
  stepped.reap();
  expect(stepped.store.unswept()).toBe(10);
  const living = await idsOf(stepped);
  expect(living).toHaveLength(10);
  await stepped.reopen(asOfRulesThatReadEarlier);
  expect(await idsOf(stepped)).toEqual(living);
  stepped.write([{ _id: 'd0', exp: NOON + 30 * DAY }]);
  expect(await countOf(stepped)).toBe(11);
  expect(await wrongWith(stepped)).toEqual([]);
});
