import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { EmbeddedReads } from '../../../../electron/engine/backends/embedded/embedded-reads.ts';
import { systemClock } from '../../../../electron/engine/platform/clock.ts';
import { on } from '../../../support/documents.ts';
import { NOON, SECOND } from '../../../support/engine.ts';
import { indexed, type Stepped } from '../../../support/stepped-store.ts';

const DOCUMENTS = 220_000;
const AT_ONCE = 10_000;
/** Entries that one read may pass over before its page: 3 ms (unlisted-removals.ts). */
const MOST_PASSED = 50_000;
const NOW = NOON + SECOND;
const prepare = Sqlite.prototype.prepare;

/** A few hundred documents have each instant. */
const instantOf = (i: number) => NOON + ((i * 7_919) % 1_000) + 1;
/** In the order of their removal. */
const IDS = Array.from({ length: DOCUMENTS }, (_, i) => i)
  .sort((a, b) => instantOf(a) - instantOf(b) || a - b)
  .map(i => `d${i}`);

let stepped: Stepped;
let interval: { first: number; revision: number };

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-'));
  stepped = indexed(1_000, on('exp'), join(folder, 'test.sandglass'));
  stepped.write([{ _id: 'living' }]);
  for (let from = 0; from < DOCUMENTS; from += AT_ONCE)
    stepped.write(
      Array.from({ length: AT_ONCE }, (_, i) => ({ _id: `d${from + i}`, exp: instantOf(from + i) })),
    );
  stepped.clock.advance(SECOND);
  stepped.reap();
  const db = new Sqlite(stepped.file, { readonly: true });
  const found = db
    .prepare<[number], typeof interval>('SELECT first, revision FROM expired_intervals WHERE documents = ?')
    .get(DOCUMENTS);
  db.close();
  if (found === undefined) throw new Error('They expired one by one.');
  interval = found;
  return async () => {
    await stepped.store.close();
    rmSync(folder, { recursive: true, force: true });
  };
});

/** Opens connections that know no place yet, and counts the entries that each snapshot passes over. */
function openReads() {
  const passed: number[] = [];
  const spy = vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (this: Sqlite.Database, sql) {
    const statement = prepare.call(this, sql);
    const { run, get } = statement;
    if (sql === 'BEGIN')
      statement.run = (...parameters: unknown[]) => {
        passed.push(0);
        return Reflect.apply(run, statement, parameters);
      };
    if (sql.includes('OFFSET ?'))
      statement.get = (...parameters: unknown[]) => {
        passed.push((passed.pop() ?? 0) + Number(parameters.at(-1)) + 1);
        return Reflect.apply(get, statement, parameters);
      };
    return statement;
  });
  const reads = new EmbeddedReads(stepped.file, systemClock);
  onTestFinished(async () => {
    spy.mockRestore();
    await reads.close();
  });
  return { reads, passed };
}

type Read = (reads: EmbeddedReads, position: number, limit: number) => Promise<void>;

/** Reads the expiries below a position, and checks them. */
const readExpired: Read = async (reads, position, limit) => {
  const query = { collection: undefined, cause: undefined, before: String(interval.first + position), limit };
  const page = await reads.expired(query, NOW);
  const from = Math.max(0, position - limit);
  expect(page.expired.map(({ _id }) => _id)).toEqual(IDS.slice(from, position).reverse());
  expect(page.next).toBe(position < limit ? null : String(interval.first + from));
};

/** Reads the events from a position on, and checks them. */
const readEvents: Read = async (reads, position, limit) => {
  const { revision } = interval;
  const page = await reads.changes({ from: { revision, position }, limit });
  const to = position + limit;
  expect(page.events.map(({ event }) => ('_id' in event ? event._id : event.kind))).toEqual([
    ...IDS.slice(position, to),
    ...(to < DOCUMENTS ? [] : ['end']),
  ]);
  if (to < DOCUMENTS) expect(page.next).toEqual({ revision, position: to });
};

const READS = [
  ['the list of expiries', readExpired],
  ['the events', readEvents],
] as const;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe('documents that expired at once and are not listed', () => {
  for (const [what, read] of READS) {
    it(`[V3] let another read pass while ${what} are sought from an arbitrary position`, async () => {
      const { reads } = openReads();
      const order: string[] = [];
      const page = read(reads, 190_001, 10).then(() => order.push('page'));
      // As a message that has arrived meanwhile.
      await setImmediate();
      await reads.document({ collection: 'c', id: 'living', includeExpired: false }, NOW);
      order.push('document');
      await page;
      expect(order).toEqual(['document', 'page']);
    });

    it(`[V3] are passed over by few at a time for ${what}, wherever the first position is`, async () => {
      for (const position of [60_000, 123_456, DOCUMENTS - 1]) {
        const { reads, passed } = openReads();
        await read(reads, position, 10);
        expect(Math.max(...passed)).toBeLessThanOrEqual(MOST_PASSED);
        expect(sum(passed)).toBe(position);
      }
    });

    it(`[V3] are passed over by few for ${what}, also after requests for hundreds of other positions`, async () => {
      const { reads, passed } = openReads();
      await read(reads, DOCUMENTS - 1, 10);
      const nearEnd = Array.from({ length: 300 }, (_, i) => 201_000 + ((i * 7_919) % 18_000));
      const anywhere = Array.from({ length: 300 }, (_, i) => 1 + ((i * 104_729) % (DOCUMENTS - 1)));
      for (const position of [...nearEnd, 49_999, 149_999, ...anywhere]) {
        passed.length = 0;
        await read(reads, position, 10);
        expect(sum(passed), `${position}`).toBeLessThanOrEqual(MOST_PASSED);
      }
    });
  }

  it('[V3] are read by pages, in either direction, without passing over any', async () => {
    const { reads, passed } = openReads();
    for (let from = 0; from < DOCUMENTS; from += 5_000) await readEvents(reads, from, 5_000);
    for (let to = DOCUMENTS; to > 0; to -= 5_000) await readExpired(reads, to, 5_000);
    expect(sum(passed)).toBe(0);
  });

  it('[V3] are asked for by whole numbers', async () => {
    const { reads } = openReads();
    const query = { collection: undefined, cause: undefined, before: '1000.5', limit: 10 };
    await expect(reads.expired(query, NOW)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  // The last test: it lists some of them.
  it('[V3] are the same from any position, in any order of requests, and while they are being listed', async () => {
    const page = fc.record({
      read: fc.constantFrom(readExpired, readEvents),
      position: fc.integer({ min: 1, max: DOCUMENTS - 1 }),
      limit: fc.integer({ min: 1, max: 300 }),
    });
    const slices = fc.integer({ min: 1, max: 6 });
    const steps = fc.array(
      fc.oneof({ weight: 6, arbitrary: page }, { weight: 1, arbitrary: slices.map(sweep => ({ sweep })) }),
      { maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async done => {
        const reads = new EmbeddedReads(stepped.file, systemClock);
        try {
          for (const step of done)
            if ('sweep' in step) stepped.sweep(step.sweep);
            else await step.read(reads, step.position, step.limit);
        } finally {
          await reads.close();
        }
      }),
      { numRuns: 40 },
    );
  });
});
