import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textReader } from '../../../../shared/model/date-text-reader.ts';
import { LONGEST_PATTERN, parsePattern } from '../../../../shared/model/dates/date-pattern.ts';
import { readReferenceTime } from '../../../../shared/model/reference-time.ts';
import { writeDate } from './write-date.ts';

const problem = (pattern: string) => {
  const parsed = parsePattern(pattern);
  return 'problem' in parsed ? parsed.problem : null;
};
const read = (pattern: string, text: string, zone?: string) =>
  textReader({ formats: [pattern], zone }).read(text);

/** Repetitions of each symbol that are permitted (docs/date-formats.md), and the part of a date that it gives. */
const SYMBOLS = [
  ['y', [1, 2, 4], 'year'],
  ['u', [1, 4], 'year'],
  ['M', [1, 2, 3, 4], 'month'],
  ['L', [1, 2, 3, 4], 'month'],
  ['d', [1, 2], 'day'],
  ['E', [1, 2, 3, 4], 'weekday'],
  ['a', [1], 'AM or PM'],
  ['H', [1, 2], 'hour'],
  ['h', [1, 2], 'hour'],
  ['m', [1, 2], 'minute'],
  ['s', [1, 2], 'second'],
  ['S', [1, 2, 3, 4, 5, 6, 7, 8, 9], 'fraction'],
  ['X', [1, 2, 3], 'offset'],
  ['x', [1, 2, 3], 'offset'],
  ['Z', [1, 2, 3, 5], 'offset'],
  ['z', [1, 2, 3], 'offset'],
] as const;
/** A field for each part, from which a pattern is completed. */
const PARTS = [
  ['year', 'yyyy'],
  ['month', 'MM'],
  ['day', 'dd'],
  ['hour', 'HH'],
  ['minute', 'mm'],
  ['second', 'ss'],
] as const;

/** Returns a pattern with `field`, which gives `part`, and all that it needs. */
function around(field: string, part: string): string {
  const isHalf = field.startsWith('h') || part === 'AM or PM';
  const fields = PARTS.map(([name, other]) =>
    name === part ? field : name === 'hour' && isHalf ? 'hh' : other,
  );
  if (isHalf && part === 'hour') fields.push('a');
  return [...fields, ...(PARTS.some(([name]) => name === part) ? [] : [field])].join('/');
}

describe('a field of a pattern', () => {
  it.each(SYMBOLS)('[D3] %s has the repetitions %j, and gives a %s once', (symbol, counts, part) => {
    const permitted = Array.from({ length: 12 }, (_, i) => i + 1).filter(
      count => problem(around(symbol.repeat(count), part)) === null,
    );
    expect(permitted).toEqual(counts);
    for (const [other, [count], samePart] of SYMBOLS) {
      const both = `${around(symbol.repeat(counts[0]), part)}/${other.repeat(count)}`;
      if (samePart === part) expect(problem(both)).toBe(`A date format has one ${part}.`);
    }
  });

  it('[D3] of several, any order is read back', () => {
    const fields = fc.record({
      year: fc.constantFrom('yyyy', 'y', 'u', 'uuuu', 'yy'),
      month: fc.constantFrom('M', 'MM', 'MMM', 'MMMM', 'L', 'LL', 'LLL', 'LLLL'),
      day: fc.constantFrom('d', 'dd'),
      weekday: fc.constantFrom('', 'E', 'EE', 'EEE', 'EEEE'),
      time: fc.constantFrom(
        'HH mm ss',
        'H:m:s',
        'a h:mm:ss',
        "hh'h'mm'm'ss,S a",
        'HH:mm:ss.SSS',
        'HHmmssSSS',
      ),
      offset: fc.constantFrom('', 'X', 'XX', 'XXX', 'x', 'xx', 'xxx', 'Z', 'ZZ', 'ZZZ', 'ZZZZZ', 'z', 'zzz'),
    });
    const instants = fc.integer({ min: Date.UTC(1970, 0, 2), max: Date.UTC(2069, 11, 30) });
    const offsets = fc.constantFrom(0, 60, -420, 330, 345, -210, 1439, -1439);
    fc.assert(
      fc.property(fields, fc.infiniteStream(fc.nat()), instants, offsets, (parts, order, at, offset) => {
        const pattern = Object.values(parts)
          .filter(part => part !== '')
          .map(part => ({ part, key: order.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ part }) => part)
          .join(' / ');
        const shown = parts.offset === '' || parts.offset.startsWith('z') ? 0 : offset;
        const unit = !/S/.test(parts.time) ? 1_000 : /S{3}/.test(parts.time) ? 1 : 100;
        expect(read(pattern, writeDate(pattern, at, shown)), pattern).toBe(Math.floor(at / unit) * unit);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the names of a pattern', () => {
  it('[D3] are those of all months and days, in full and as three letters, in any case', () => {
    for (let day = 0; day < 366; day++) {
      const at = Date.UTC(2024, 0, 1 + day);
      for (const pattern of ['EEEE, d MMMM yyyy', 'EEE, d MMM yyyy']) {
        const written = writeDate(pattern, at);
        for (const text of [written, written.toUpperCase(), written.toLowerCase()])
          expect(read(pattern, text), text).toBe(at);
        expect(read(pattern, writeDate(pattern, at).replace(/^\w+/, 'Someday'))).toBeNull();
      }
    }
    expect(read('EEE, d MMM yyyy', 'Sun, 5 Dec 2005')).toBeNull();
  });

  it('[D3] in full end where the letters do, as three letters after these', () => {
    const at = Date.UTC(2005, 4, 4);
    for (const after of ['@', '[', '`', '{', "''", '–'])
      expect(read(`MMMM${after}d${after}yyyy`, `May${after}4${after}2005`.replaceAll("''", "'"))).toBe(at);
    expect(read('MMMM d yyyy', 'Mayx 4 2005')).toBeNull();
    expect(read("d MMM'r' yyyy", '4 Decr 2005')).toBe(Date.UTC(2005, 11, 4));
  });

  it('[D3] of zones are those of RFC 2822', () => {
    const hours = {
      UTC: 0,
      GMT: 0,
      UT: 0,
      Z: 0,
      EST: 5,
      EDT: 4,
      CST: 6,
      CDT: 5,
      MST: 7,
      MDT: 6,
      PST: 8,
      PDT: 7,
    };
    for (const [name, west] of Object.entries(hours))
      expect(read('yyyy-MM-dd HH:mm z', `2005-06-03 01:00 ${name}`, '+09:00'), name).toBe(
        Date.UTC(2005, 5, 3, 1 + west),
      );
    for (const name of ['IST', 'GMTX', 'gmt', 'G', '', '1'])
      expect(read('yyyy-MM-dd HH:mm z', `2005-06-03 01:00 ${name}`)).toBeNull();
    expect(read('HH:mm z yyyy-MM-dd', '01:00 EST 2005-06-03')).toBe(Date.UTC(2005, 5, 3, 6));
  });
});

describe('the calendar of a pattern', () => {
  it('[D3] has each day of a month and none beyond', () => {
    for (const year of [1972, 1999, 2000, 2023, 2024, 2100, 2400])
      for (let month = 1; month <= 12; month++) {
        const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
        const days = Array.from({ length: 33 }, (_, day) => read('yyyy-M-d', `${year}-${month}-${day}`));
        expect(days.flatMap((at, day) => (at === null ? [] : [day]))).toEqual(
          Array.from({ length: last }, (_, i) => i + 1),
        );
        expect(days[1]).toBe(Date.UTC(year, month - 1, 1));
        expect(days[last]).toBe(Date.UTC(year, month - 1, last));
      }
    for (const month of ['00', '13', '99']) expect(read('yyyy-MM-dd', `2019-${month}-01`)).toBeNull();
  });

  it('[D3] has hours 0 to 23 or 1 to 12, minutes and seconds 0 to 59', () => {
    const within = (pattern: string, unitMs: number, text: (value: string) => string) =>
      Array.from({ length: 100 }, (_, value) => {
        const at = read(pattern, text(String(value).padStart(2, '0')));
        return at === null ? [] : [(at - Date.UTC(2005, 5, 3)) / unitMs];
      }).flat();
    const to = (end: number) => Array.from({ length: end + 1 }, (_, i) => i);
    expect(within('yyyyMMddHH', 3_600_000, value => `20050603${value}`)).toEqual(to(23));
    expect(within('yyyyMMddHHmm', 60_000, value => `2005060300${value}`)).toEqual(to(59));
    expect(within('yyyyMMddHHmmss', 1_000, value => `200506030000${value}`)).toEqual(to(59));
    const hours = to(11).map(hour => (hour + 1) % 12);
    expect(within('yyyyMMddhha', 3_600_000, value => `20050603${value}AM`)).toEqual(hours);
    expect(within('yyyyMMddhha', 3_600_000, value => `20050603${value}pm`)).toEqual(
      hours.map(hour => hour + 12),
    );
  });
});

describe('a text that does not fit its pattern', () => {
  it.each<readonly [pattern: string, text: string]>([
    ['yyyy-MM-dd', '2005-6-03'],
    ['yyyy-MM-dd', '2005-06-3'],
    ['yyyy-MM-dd', '2005-06/03'],
    ['yyyy-MM-dd HH', '2005-06-0310'],
    ["yyyy-MM-dd'at'HH", '2005-06-03it10'],
    ["yyyy-MM-dd'at'HH", '2005-06-03a10'],
    ["E'20'yyyy-MM-dd", '20051-02-03'],
    ['ayyyy-MM-dd hh', '2005-06-03 10'],
    ['zyyyy-MM-dd', '2005-06-03'],
    ['h:mm a, d MMM yyyy', '7:05 XM, 4 Dec 2005'],
    ['yyyy-MM-dd HH:mm:ss.S', '2005-06-03 10:00:00.x'],
    ['yyyy-MM-dd HH:mm:ss.S', '2005-06-03 10:00:00.12x'],
    ['yyyy-MM-dd HH:mm:ss.S', '2005-06-03 10:00:00.12:'],
    ['yyyy-MM-dd HH:mm:ss.S', '2005-06-03 10:00:00.12/'],
    ...[
      '01',
      '=01',
      '+1',
      '+24',
      '+0160',
      '+01:',
      '+01:00',
      '+1x',
      '+x1',
      '+:1',
      '+1:',
      '+/1',
      '+1/',
      'z',
    ].map(offset => ['yyyy-MM-dd HHX', `2005-06-03 10${offset}`] as const),
    ...['+02', '+02:00', '+02x0', '+020', '+0260'].map(
      offset => ['yyyy-MM-dd HHXX', `2005-06-03 10${offset}`] as const,
    ),
    ...['+02', '+0200', '+02x00', '+02:', '+02:0', '+02:60', '+24:00'].map(
      offset => ['yyyy-MM-dd HHXXX', `2005-06-03 10${offset}`] as const,
    ),
    ...['x', 'xx', 'xxx', 'Z', 'ZZ', 'ZZZ'].map(
      symbols => [`yyyy-MM-dd HH${symbols}`, '2005-06-03 10Z'] as const,
    ),
    ['yyyy-MM-dd HHZ', '2005-06-03 10+02:00'],
    ['yyyy-MM-dd HHZZZZZ', '2005-06-03 10+0200'],
  ])('[D3] %s does not read “%s”', (pattern, text) => {
    expect(read(pattern, text)).toBeNull();
  });

  it.each([
    ['yyyy-MM-dd HHX', '+00:00', null],
    ['yyyy-MM-dd HHX', '+00', 0],
    ['yyyy-MM-dd HHX', '-00', 0],
    ['yyyy-MM-dd HHX', '+0030', 30],
    ['yyyy-MM-dd HHX', '-23', -1380],
    ['yyyy-MM-dd HHXX', '+2359', 1439],
    ['yyyy-MM-dd HHXXX', '-23:59', -1439],
    ['yyyy-MM-dd HHXXX', 'Z', 0],
    ['yyyy-MM-dd HHZZZZZ', 'Z', 0],
    ['yyyy-MM-dd HHZZZZZ', '+09:09', 549],
    ['yyyy-MM-dd HHZ', '-0101', -61],
    ['yyyy-MM-dd HHx', '+01', 60],
    ['yyyy-MM-dd HHxxx', '+01:30', 90],
  ])('[D3] %s reads an offset %s as %s minutes, whatever the zone', (pattern, offset, minutes) => {
    expect(read(pattern, `2005-06-03 10${offset}`, 'Asia/Kolkata')).toBe(
      minutes === null ? null : Date.UTC(2005, 5, 3, 10) - minutes * 60_000,
    );
  });
});

describe('text between fields', () => {
  it('[D3] is read as it is; two quotes are one, and several spaces are like one', () => {
    const at = Date.UTC(2005, 11, 4, 7);
    expect(read("dd''MM''yyyy 'o''clock' HH", "04'12'2005 o'clock 07")).toBe(at);
    expect(read('yyyy--MM--dd   HH', '2005--12--04 07')).toBe(at);
    expect(read('yyyy-MM-dd HH', '2005-12-04     07')).toBe(at);
    expect(read('yyyy年MM月dd日HH', '2005年12月04日07')).toBe(at);
  });

  it('[D3] separates a fraction, which otherwise has as many digits as letters', () => {
    const at = Date.UTC(2005, 11, 4, 7, 8, 9);
    expect(read('HH:mm:ss.SSSdd/MM/yyyy', '07:08:09.12304/12/2005')).toBe(at + 123);
    expect(read('HH:mm:ss.Sdd/MM/yyyy', '07:08:09.104/12/2005')).toBe(at + 100);
    expect(read('HH:mm:ss.SSdd/MM/yyyy', '07:08:09.1204/12/2005')).toBe(at + 120);
    expect(read('HH:mm:ss.SSSSdd/MM/yyyy', '07:08:09.1234/12/2005')).toBeNull();
    expect(read('yyyyMMddHHmmssS', '20051204070809123456')).toBe(at + 123);
    expect(read('yyMMddHH', '05120407')).toBe(Date.UTC(2005, 11, 4, 7));
    expect(read('HH:mm:ss.SSSX dd/MM/yyyy', '07:08:09.1Z 04/12/2005')).toBe(at + 100);
  });
});

describe('a refused pattern', () => {
  it.each([
    ["yyyy-MM-dd'T", "The quote at character 11 of “yyyy-MM-dd'T” is not closed."],
    ["yyyy-MM-dd'T''", "The quote at character 11 of “yyyy-MM-dd'T''” is not closed."],
    ['yyyy-MM-dd Q', "“Q” is not a field of a date format. To read the letter Q, put it in quotes: 'Q'."],
    ['yyyy-MM-dd HH ss', 'Seconds need minutes: mm.'],
    ['yyyy-MM-dd HH:mm .S', 'A fraction needs seconds: ss.'],
    ['dMyyyy', '“d” reads one or two digits, and digits follow: write dd.'],
    ['yyyyMMddHms', '“H” reads one or two digits, and digits follow: write HH.'],
    ['yyyy-MM', 'A date format needs a year (yyyy), a month (MM or MMM) and a day (dd).'],
    ['yyyy-dd', 'A date format needs a year (yyyy), a month (MM or MMM) and a day (dd).'],
  ])('[D3] %s: %s', (pattern, says) => {
    expect(problem(pattern)).toBe(says);
  });

  it('[D3] is longer than the longest, or has nothing', () => {
    const longest = `yyyy-MM-dd${'-'.repeat(LONGEST_PATTERN - 10)}`;
    expect(problem(longest)).toBeNull();
    expect(problem(`${longest}-`)).toContain('at most 100 characters');
    expect(problem('  ')).toContain('is a pattern such as');
  });

  it.each([
    'EdMMMyyyy',
    'dEMMMyyyy',
    'dMMMyyyy',
    'yyyy-MM-dd ha',
    'yyyy-MM-dX',
    'dMMMMyyyy',
    'yMMdd',
    'uMMdd',
  ])('[D3] is not %s: no digits follow a number of variable length', pattern => {
    const at = Date.UTC(2005, 11, 4);
    expect(read(pattern, writeDate(pattern, at))).toBe(at);
  });
});

describe('numbers', () => {
  it.each([
    [['yyyyMMdd'], 20_170_516, Date.UTC(2017, 4, 16)],
    [['yyyy.MM.dd', 'yyyyMMdd'], 20_170_516, Date.UTC(2017, 4, 16)],
    [['iso'], 20_170_516, 20_170_516_000],
    [['yyyyMMddHHX'], 20_170_516, 20_170_516_000],
    [['EyyyyMMdd'], 20_170_516, 20_170_516_000],
    [['ayyyyMMddhh'], 20_170_516, 20_170_516_000],
    [['yyyyMMMdd'], 20_170_516, 20_170_516_000],
  ])('[D4] with %j: %d is %d', (formats, value, at) => {
    expect(readReferenceTime(value, 'seconds', textReader({ formats }))).toEqual({ at });
  });
});

describe('iso among formats', () => {
  it('[D3] is of the zone, unless the text has an offset', () => {
    const at = (text: string) => read('iso', text, 'Europe/Berlin');
    expect(at('2024-07-01T12:00:00')).toBe(Date.UTC(2024, 6, 1, 10));
    expect(at('2024-07-01T12:00:00.5')).toBe(Date.UTC(2024, 6, 1, 10, 0, 0, 500));
    expect(at('2024-07-01')).toBe(Date.UTC(2024, 5, 30, 22));
    expect(at('2024-07-01T12:00:00Z')).toBe(Date.UTC(2024, 6, 1, 12));
    expect(at('2024-07-01T12:00:00+05:30')).toBe(Date.UTC(2024, 6, 1, 6, 30));
    expect(at('2024-07-01T12:00:00-05:30')).toBe(Date.UTC(2024, 6, 1, 17, 30));
    expect(at('2024-07-32')).toBeNull();
  });
});
