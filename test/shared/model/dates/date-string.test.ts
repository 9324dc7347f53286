import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { parseDateString } from '../../../../shared/model/dates/date-string.ts';
import { LAST_INSTANT, readReferenceTime, UNIT_BOUND } from '../../../../shared/model/reference-time.ts';

/** The six examples of Macrometa's documentation, with their instants in its table. */
const SEED: readonly [string, number][] = [
  ['2019-05-27', Date.UTC(2019, 4, 27)],
  ['2019-05-27T21:20:00', Date.UTC(2019, 4, 27, 21, 20)],
  ['2019-05-27T21:20:00Z', Date.UTC(2019, 4, 27, 21, 20)],
  ['2019-05-27T21:20:00.123Z', Date.UTC(2019, 4, 27, 21, 20, 0, 123)],
  ['2019-05-27T21:20:00.123+01:30', Date.UTC(2019, 4, 27, 19, 50, 0, 123)],
  ['2019-05-27T21:20:00.123-02:00', Date.UTC(2019, 4, 27, 23, 20, 0, 123)],
];
/** Local times that do not exist or exist twice in at least one of the zones. */
const CHANGES_OF_CLOCKS = [
  '2026-03-08T02:30:00',
  '2026-11-01T01:30:00',
  '2026-03-29T02:30:00',
  '1945-10-15T00:30:00',
];
const ZONES = ['America/New_York', 'Asia/Kolkata', 'Europe/Berlin', 'Pacific/Apia', 'UTC'];

const before = process.env.TZ;
afterEach(() => {
  if (before === undefined) delete process.env.TZ;
  else process.env.TZ = before;
});

const pad = (n: number, digits = 2) => String(n).padStart(digits, '0');

/** Returns the days since 1970 of a civil date, computed without Date and zone. */
function daysSince1970(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

const civil = fc
  .record({
    year: fc.integer({ min: 1970, max: 9998 }),
    month: fc.integer({ min: 1, max: 12 }),
    roll: fc.nat(30),
  })
  .map(({ year, month, roll }) => ({ year, month, day: (roll % daysIn(year, month)) + 1 }));
const time = fc.record({
  hour: fc.nat(23),
  minute: fc.nat(59),
  second: fc.nat(59),
  fraction: fc.option(fc.stringMatching(/^[0-9]{1,12}$/), { nil: undefined }),
  zone: fc.oneof(
    fc.constantFrom(undefined, 'Z'),
    fc.record({ sign: fc.constantFrom('+', '-'), hours: fc.nat(23), minutes: fc.nat(59) }),
  ),
});

describe('a date string', () => {
  it('[D3] is read to the millisecond in all six examples of Macrometa', () => {
    for (const [text, at] of SEED) expect(parseDateString(text), text).toBe(at);
  });

  it('[D3] equals independently counted days, for every valid date, time, fraction and offset', () => {
    fc.assert(
      fc.property(civil, time, ({ year, month, day }, { hour, minute, second, fraction, zone }) => {
        const offset =
          typeof zone === 'object' ? `${zone.sign}${pad(zone.hours)}:${pad(zone.minutes)}` : (zone ?? '');
        const offsetMs =
          typeof zone === 'object'
            ? (zone.sign === '-' ? -1 : 1) * (zone.hours * 60 + zone.minutes) * 60_000
            : 0;
        const text = `${pad(year, 4)}-${pad(month)}-${pad(day)}T${pad(hour)}:${pad(minute)}:${pad(second)}${fraction === undefined ? '' : `.${fraction}`}${offset}`;
        const ms = fraction === undefined ? 0 : Number(fraction.padEnd(3, '0').slice(0, 3));
        const expected =
          daysSince1970(year, month, day) * 86_400_000 +
          hour * 3_600_000 +
          minute * 60_000 +
          second * 1_000 +
          ms -
          offsetMs;
        expect(parseDateString(text), text).toBe(expected);
        expect(parseDateString(text.slice(0, 10))).toBe(daysSince1970(year, month, day) * 86_400_000);
      }),
    );
  });

  it('[D3] has offsets up to 23:59', () => {
    expect(parseDateString('2019-05-27T21:20:00-23:59')).toBe(Date.UTC(2019, 4, 28, 21, 19));
  });

  it('[D3] is UTC without a zone, with any zone of the machine and any clock change', () => {
    for (const zone of ZONES) {
      process.env.TZ = zone;
      for (const [text, at] of SEED) expect(parseDateString(text), `${text} in ${zone}`).toBe(at);
      for (const text of CHANGES_OF_CLOCKS)
        expect(parseDateString(text), `${text} in ${zone}`).toBe(Date.parse(`${text}Z`));
    }
  });

  it('[D3] is the same in a process that started in another zone', () => {
    const module = new URL('../../../../shared/model/dates/date-string.ts', import.meta.url);
    const script = `import { parseDateString } from ${JSON.stringify(module.href)};
      console.log(JSON.stringify(${JSON.stringify([...SEED.map(([text]) => text), ...CHANGES_OF_CLOCKS])}.map(parseDateString)));`;
    const expected = [...SEED.map(([, at]) => at), ...CHANGES_OF_CLOCKS.map(text => Date.parse(`${text}Z`))];
    for (const TZ of ['America/New_York', 'Asia/Kolkata']) {
      const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        env: { ...process.env, TZ, NODE_OPTIONS: '' },
        encoding: 'utf8',
      });
      expect(JSON.parse(out)).toEqual(expected);
    }
  });

  it('[D3, D5] has no other form', () => {
    const wrong = [
      '',
      ' ',
      '2019',
      '2019-05',
      '2019-5-27',
      '19-05-27',
      '2019-02-30',
      '2019-02-29',
      '1900-02-29',
      '2019-13-01',
      '2019-00-10',
      '2019-01-00',
      '2019-04-31',
      '2019-05-27T',
      '2019-05-27T21',
      '2019-05-27T21:20',
      '2019-05-27T24:00:00',
      '2019-05-27T25:00:00',
      '2019-05-27T21:60:00',
      '2019-05-27T21:20:60',
      '2019-05-27.5',
      '2019-05-27Z',
      '2019-05-27+01:00',
      '2019-05-27T21:20:00.',
      '2019-05-27T21:20:00,5',
      '2019-05-27T21:20:00z',
      '2019-05-27t21:20:00',
      '2019-05-27 21:20:00',
      '2019-05-27T21:20:00+1:30',
      '2019-05-27T21:20:00+0130',
      '2019-05-27T21:20:00+24:00',
      '2019-05-27T21:20:00+01:60',
      '2019-05-27T21:20:00Z trailing',
      ' 2019-05-27',
      '2019-05-27\n',
      '+2019-05-27',
      '-2019-05-27',
      '20190527',
      '12019-05-27',
      'May 27, 2019',
      'tomorrow',
      '1550165973',
      '٢٠١٩-٠٥-٢٧',
    ];
    for (const text of wrong) {
      expect(parseDateString(text), text).toBeNull();
      expect(readReferenceTime(text, 'seconds'), text).toEqual({ reason: 'not a date' });
    }
  });

  it('[D3] is null or an instant for any text, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), text => {
        const read = parseDateString(text);
        expect(read === null || Number.isInteger(read)).toBe(true);
      }),
    );
  });
});

describe('a number', () => {
  it('[D4] is Unix time in the unit that is declared', () => {
    expect(readReferenceTime(1_550_165_973, 'seconds')).toEqual({ at: Date.UTC(2019, 1, 14, 17, 39, 33) });
    expect(readReferenceTime(1_550_165_973_000, 'milliseconds')).toEqual({
      at: Date.UTC(2019, 1, 14, 17, 39, 33),
    });
    expect(readReferenceTime(12_345_678_901_234n, 'milliseconds')).toEqual({ at: 12_345_678_901_234 });
  });

  it('[D4] of seconds with a fraction is read to the exact millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: LAST_INSTANT }), ms => {
        fc.pre(ms / 1_000 < UNIT_BOUND);
        expect(readReferenceTime(ms / 1_000, 'seconds')).toEqual({ at: ms });
      }),
      { numRuns: 2_000 },
    );
  });

  it('[D4] in the wrong unit is suspected in both directions, and gives no deadline', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1974, 0), max: Date.UTC(5000, 0) }), ms => {
        expect(readReferenceTime(ms, 'seconds')).toEqual({ reason: 'wrong unit suspected' });
        expect(readReferenceTime(Math.floor(ms / 1_000), 'milliseconds')).toEqual({
          reason: 'wrong unit suspected',
        });
        expect(readReferenceTime(ms, 'milliseconds')).toEqual({ at: ms });
        expect(readReferenceTime(Math.floor(ms / 1_000), 'seconds')).toEqual({
          at: Math.floor(ms / 1_000) * 1_000,
        });
      }),
    );
  });

  it('[D4] at the bound of suspicion is read as the rule states', () => {
    expect(readReferenceTime(UNIT_BOUND - 1, 'milliseconds')).toEqual({ reason: 'wrong unit suspected' });
    expect(readReferenceTime(UNIT_BOUND, 'milliseconds')).toEqual({ at: UNIT_BOUND });
    expect(readReferenceTime(UNIT_BOUND, 'seconds')).toEqual({ reason: 'wrong unit suspected' });
    expect(readReferenceTime(-UNIT_BOUND, 'seconds')).toEqual({ reason: 'wrong unit suspected' });
    expect(readReferenceTime(-(UNIT_BOUND - 1), 'milliseconds')).toEqual({ reason: 'wrong unit suspected' });
    expect(readReferenceTime(0, 'milliseconds')).toEqual({ reason: 'wrong unit suspected' });
    expect(readReferenceTime(0, 'seconds')).toEqual({ at: 0 });
  });

  it('[D5] that is NaN, infinite, before 1970 or after 9999 gives no deadline', () => {
    for (const unit of ['seconds', 'milliseconds'] as const) {
      for (const number of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        expect(readReferenceTime(number, unit)).toEqual({ reason: 'not finite' });
      }
    }
    expect(readReferenceTime(-1, 'seconds')).toEqual({ reason: 'out of range' });
    expect(readReferenceTime(-UNIT_BOUND, 'milliseconds')).toEqual({ reason: 'out of range' });
    expect(readReferenceTime(LAST_INSTANT, 'milliseconds')).toEqual({ at: LAST_INSTANT });
    expect(readReferenceTime(LAST_INSTANT + 1, 'milliseconds')).toEqual({ reason: 'out of range' });
    expect(readReferenceTime(10n ** 30n, 'milliseconds')).toEqual({ reason: 'out of range' });
    expect(readReferenceTime('1969-12-31T23:59:59', 'seconds')).toEqual({ reason: 'out of range' });
    expect(readReferenceTime('0000-01-01', 'seconds')).toEqual({ reason: 'out of range' });
    expect(readReferenceTime('1970-01-01T00:59:59+01:00', 'seconds')).toEqual({ reason: 'out of range' });
    expect(readReferenceTime('9999-12-31T23:59:59.999-00:01', 'seconds')).toEqual({ reason: 'out of range' });
  });

  it('[D5] after 2038 is valid', () => {
    expect(readReferenceTime(2 ** 31, 'seconds')).toEqual({ at: 2 ** 31 * 1_000 });
    expect(readReferenceTime('2100-01-01', 'seconds')).toEqual({ at: Date.UTC(2100, 0) });
  });
});

describe('a value without a date', () => {
  it('[D5] gives no deadline, with its reason', () => {
    for (const value of [true, false, {}, { $date: 1 }]) {
      expect(readReferenceTime(value, 'seconds')).toEqual({ reason: 'wrong type' });
    }
    expect(readReferenceTime(null, 'seconds')).toEqual({ reason: 'missing field' });
    expect(readReferenceTime(undefined, 'seconds')).toEqual({ reason: 'missing field' });
    expect(readReferenceTime('60', 'seconds')).toEqual({ reason: 'not a date' });
  });
});

describe('an array', () => {
  it('[D6] gives its earliest valid date', () => {
    const at = Date.UTC(2026, 0);
    expect(readReferenceTime(['2027-01-01', 'no', '2026-01-01', null, true, 1], 'milliseconds')).toEqual({
      at,
    });
    expect(readReferenceTime([2e9, 1e9, 'x'], 'seconds')).toEqual({ at: 1e12 });
    expect(readReferenceTime(['no', 7], 'milliseconds')).toEqual({ reason: 'not a date' });
    expect(readReferenceTime([], 'seconds')).toEqual({ reason: 'missing field' });
    expect(readReferenceTime([['2026-01-01']], 'seconds')).toEqual({ reason: 'wrong type' });
  });

  it('[D6] gives the same date in any order', () => {
    const instants = fc.array(fc.integer({ min: UNIT_BOUND, max: LAST_INSTANT }), {
      minLength: 1,
      maxLength: 8,
    });
    const junk = fc.array(fc.constantFrom<unknown>('no', true, null, 3, {}), { maxLength: 4 });
    fc.assert(
      fc.property(instants, junk, fc.infiniteStream(fc.nat()), (valid, rest, shuffle) => {
        const mixed = [...valid, ...rest]
          .map(value => ({ value, key: shuffle.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ value }) => value);
        expect(readReferenceTime(mixed, 'milliseconds')).toEqual({ at: Math.min(...valid) });
      }),
    );
  });
});
