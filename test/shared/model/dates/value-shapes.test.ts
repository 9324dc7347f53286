import { describe, expect, it } from 'vitest';
import { detectFormats, detectTimeOfDay } from '../../../../shared/model/dates/detect-formats.ts';
import { patternsLike, timePattern } from '../../../../shared/model/dates/value-shapes.ts';

const DATES: readonly [string, readonly string[]][] = [
  ['2005-06-03', ['yyyy-MM-dd']],
  ['2005/6/3', ['yyyy/M/d']],
  ['2005.06.3', ['yyyy.M.d']],
  ['20050603', ['yyyyMMdd']],
  ['03 Jun 2005', ['dd MMM yyyy']],
  ['3-Jun-2005', ['d-MMM-yyyy']],
  ['3 June 2005', ['d MMMM yyyy']],
  ['13/September/2005', ['d/MMMM/yyyy']],
  ['Jun 3, 2005', ['MMM d, yyyy']],
  ['June 13, 2005', ['MMMM d, yyyy']],
  ['03/06/2005', ['dd/MM/yyyy', 'MM/dd/yyyy']],
  ['3.6.2005', ['d.M.yyyy', 'M.d.yyyy']],
  ['13.6.2005', ['d.M.yyyy', 'M.d.yyyy']],
  ['03-06-05', ['dd-MM-yy', 'MM-dd-yy', 'yy-MM-dd']],
  ['3 Jun 05', ['d MMM yy']],
  ['13.Jun.05', ['d.MMM.yy']],
  ['050603', ['yyMMdd', 'ddMMyy']],
];
const TIMES = [
  ['10:20', 'HH:mm'],
  ['7:05', 'H:mm'],
  ['10:20:30', 'HH:mm:ss'],
  ['10:20:30.5', 'HH:mm:ss.S'],
  ['10:20:30,123456789', 'HH:mm:ss,SSSSSSSSS'],
  ['7:05 PM', 'h:mm a'],
  ['07:05pm', 'hh:mma'],
  ['10.20.30', 'HH.mm.ss'],
  ['10.20.30,12', 'HH.mm.ss,SS'],
  ['102030', 'HHmmss'],
  ['102030123', 'HHmmssSSS'],
  ['10:20Z', 'HH:mmXXX'],
  ['10:20:30+05:30', 'HH:mm:ssXXX'],
  ['10:20:30-0530', 'HH:mm:ssXX'],
  ['10:20:30+05', 'HH:mm:ssX'],
  ['10:20:30 -05:30', 'HH:mm:ss XXX'],
  ['10:20:30 +0530', 'HH:mm:ss XX'],
  ['10:20:30 GMT', 'HH:mm:ss z'],
  ['10:20:30 EST', 'HH:mm:ss z'],
] as const;
const BETWEEN = [
  ['T', "'T'"],
  [' ', ' '],
  ['   ', ' '],
  [', ', ', '],
  [':', ':'],
  ['_', '_'],
  ['-', '-'],
] as const;

describe('the patterns of a text', () => {
  it.each(DATES)(
    '%s: %j, with a time after it, a weekday before it, or brackets around it',
    (date, patterns) => {
      expect(patternsLike(date)).toEqual(patterns);
      for (const [time, timeFormat] of TIMES) {
        expect(timePattern(time)).toBe(timeFormat);
        for (const [between, joined] of BETWEEN)
          expect(patternsLike(date + between + time), date + between + time).toEqual(
            patterns.map(pattern => pattern + joined + timeFormat),
          );
      }
      for (const [weekday, symbol] of [
        ['Fri ', 'EEE '],
        ['friday  ', 'EEEE '],
        ['Wednesday, ', 'EEEE, '],
        ['TUE, ', 'EEE, '],
      ] as const)
        expect(patternsLike(weekday + date)).toEqual(patterns.map(pattern => symbol + pattern));
      expect(patternsLike(`[${date} 10:20]`)).toEqual(patterns.map(pattern => `[${pattern} HH:mm]`));
    },
  );

  it('are none if something else is before or after it', () => {
    const before = ['#', 'x ', '#bcdef', '#bcdefgh', 'Frix-', '['];
    const after = ['#', ' x', ' 10:2', ' 10:20x', '-rc1', ' 10:20 XYZ', ' 10:20:30+5', ' 10:20+05:300', ']'];
    const others = [
      'T',
      ' ',
      'Z',
      '+02',
      ' noon 10:20',
      ' 10:20 +0',
      ' 10:20x+05:30',
      ' 10:20 x GMT',
      ' 102030 x',
    ];
    for (const [date] of DATES) {
      for (const text of before) expect(patternsLike(text + date), text + date).toEqual([]);
      for (const text of [...after, ...others]) expect(patternsLike(date + text), date + text).toEqual([]);
    }
    for (const text of ['', 'Friday', 'Friday ', '10:20', '12345', '123456789', 'Jun 3 2005', '[]', '['])
      expect(patternsLike(text), text).toEqual([]);
  });

  it('have the year last if the text has', () => {
    expect(patternsLike('Jun  3 10:20:30 2005')).toEqual(['MMM d HH:mm:ss yyyy']);
    expect(patternsLike('Fri Jun 03 10:20:30.123 2005')).toEqual(['EEE MMM d HH:mm:ss.SSS yyyy']);
    expect(patternsLike('Jun 03 10:20:30.1234567890 CEST 2005')).toEqual(['MMM d HH:mm:ss.SSSSSSSSS z yyyy']);
    for (const text of ['x Jun 03 10:20:30 2005', 'Jun 03 10:20:30 2005 x', 'Jun 03 10:20:30 20050'])
      expect(patternsLike(text)).toEqual([]);
  });

  it('are those of at most 60 characters', () => {
    const text = (length: number) => `2005-06-03${'10:20'.padStart(length - 10)}`;
    expect(patternsLike(text(60))).toEqual(['yyyy-MM-dd HH:mm']);
    expect(patternsLike(text(61))).toEqual([]);
  });
});

describe('a time of day', () => {
  it('is detected if all values have its form; a fraction has any number of digits', () => {
    for (const [time, pattern] of TIMES) expect(detectTimeOfDay([time, time])).toBe(pattern);
    expect(detectTimeOfDay(['10:20:30.5', '11:20:30.25'])).toBe('HH:mm:ss.S');
    for (const values of [
      [],
      ['x'],
      ['x', 'y'],
      ['10:20', 'x'],
      ['10:20', '10:20:30'],
      ['10:20:30', '10:20:30.5'],
      ['at 10:20'],
      ['10:20 o’clock'],
    ])
      expect(detectTimeOfDay(values), JSON.stringify(values)).toBeNull();
  });
});

describe('offered formats', () => {
  const offered = (values: readonly string[]) =>
    detectFormats(values).map(({ formats, values: count, doubt }) => [formats.join(' or '), count, doubt]);

  it('[D3] show the first value that they read, and the earliest and latest instant', () => {
    expect(detectFormats(['n/a', '2005.06.04', '2005.06.03', '2005.06.05'])).toEqual([
      {
        formats: ['yyyy.MM.dd'],
        values: 3,
        doubt: null,
        example: '2005.06.04',
        exampleAt: Date.UTC(2005, 5, 4),
        earliestAt: Date.UTC(2005, 5, 3),
        latestAt: Date.UTC(2005, 5, 5),
      },
    ]);
  });

  it('[D3] read dates of 1970 to 2099, since other numbers are hardly dates', () => {
    expect(detectFormats(['1970.01.01'])).toMatchObject([{ exampleAt: 0, earliestAt: 0, latestAt: 0 }]);
    expect(detectFormats(['2099.12.31'])).toMatchObject([{ values: 1 }]);
    expect(offered(['1969.12.31', '2100.01.01'])).toEqual([]);
    expect(offered(['1969.12.31', '2100.01.01', '2005.06.03'])).toEqual([['yyyy.MM.dd', 1, null]]);
  });

  it('[D3] read at least a tenth of the values', () => {
    const others = Array.from({ length: 9 }, (_, i) => `x${i}`);
    expect(offered(['2005.06.03', ...others])).toEqual([['yyyy.MM.dd', 1, null]]);
    expect(offered(['2005.06.03', ...others, 'y'])).toEqual([]);
  });

  it('[D3] are at most four together, the most frequent first', () => {
    const forms = ['2005.06.03', '2005/06/03', '20050603', '3 Jun 2005', '3-June-2005'];
    const values = forms.flatMap((form, i) => Array.from({ length: i + 1 }, () => form));
    expect(offered(values)).toEqual([['d-MMMM-yyyy or d MMM yyyy or yyyyMMdd or yyyy/MM/dd', 14, null]]);
  });

  it('[D3] leave out what reads no further value', () => {
    expect(offered(['2005/6/3', '2005/06/03'])).toEqual([['yyyy/M/d', 2, null]]);
    expect(offered(['25/6/2005', '3/4/2005', '03/04/2005'])).toEqual([['d/M/yyyy', 3, null]]);
  });

  it('[D3] with an order that one value shows are alone, also with years of two digits', () => {
    expect(offered(['25/06/99', '03/04/05'])).toEqual([['dd/MM/yy', 2, 'year']]);
    expect(offered(['25/06/2005', '26/06/2005', '06/25/2005'])).toEqual([
      ['dd/MM/yyyy', 2, 'order'],
      ['MM/dd/yyyy', 1, 'order'],
    ]);
  });

  it('[D3] that are ambiguous come after the certain ones, the most frequent first', () => {
    const values = ['03-04-2005', '05.06.2005', '06.07.2005', '2005/06/03'];
    expect(offered(values)).toEqual([
      ['yyyy/MM/dd', 1, null],
      ['dd.MM.yyyy', 2, 'order'],
      ['MM.dd.yyyy', 2, 'order'],
      ['dd-MM-yyyy', 1, 'order'],
    ]);
  });

  it('[D3] are of the first 24 forms of the values', () => {
    const times = ['10:20:30', '10:20', '10.20.30'];
    const rare = times.flatMap(time =>
      ['-', '/', '.'].flatMap(of => [' ', ':', '_'].map(at => `2005${of}6${of}3${at}${time}`)),
    );
    const frequent = Array.from({ length: 100 }, () => '4 Jun 2005');
    expect(rare.length).toBeGreaterThan(24);
    expect(offered(['junk', ...rare.slice(0, 23), ...frequent])).toMatchObject([
      [expect.stringMatching(/^d MMM yyyy/), 103, null],
    ]);
    expect(offered(['junk', ...rare.slice(0, 24), ...frequent])).toEqual([]);
  });
});
