import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textReader } from '../../../../shared/model/date-text-reader.ts';
import { parsePattern } from '../../../../shared/model/dates/date-pattern.ts';
import { detectFormats } from '../../../../shared/model/dates/detect-formats.ts';
import type { DateFormats } from '../../../../shared/model/dates/format-list.ts';
import { readReferenceTime } from '../../../../shared/model/reference-time.ts';
import { writeDate } from './write-date.ts';

const read = (formats: string | string[], text: string, zone?: DateFormats['zone']) =>
  textReader({ formats: [formats].flat(), zone }).read(text);
const problem = (pattern: string) => {
  const parsed = parsePattern(pattern);
  return 'problem' in parsed ? parsed.problem : null;
};

/** Values as other systems write them, with the pattern that is offered for each, and the instant. */
const WRITTEN: readonly [value: string, pattern: string, at: string][] = [
  ['2017-05-16 00:00:00', 'yyyy-MM-dd HH:mm:ss', '2017-05-16T00:00:00Z'],
  ['2017-05-16 00:00:00.008', 'yyyy-MM-dd HH:mm:ss.SSS', '2017-05-16T00:00:00.008Z'],
  ['2015-07-29 17:41:44,747', 'yyyy-MM-dd HH:mm:ss,SSS', '2015-07-29T17:41:44.747Z'],
  ['2005.06.03', 'yyyy.MM.dd', '2005-06-03T00:00:00Z'],
  ['2005/6/3', 'yyyy/M/d', '2005-06-03T00:00:00Z'],
  ['2005-06-03-15.42.50.675872', 'yyyy-MM-dd-HH.mm.ss.SSSSSS', '2005-06-03T15:42:50.675Z'],
  ['Sun, 04 Dec 2005 04:47:44 +0100', 'EEE, dd MMM yyyy HH:mm:ss XX', '2005-12-04T03:47:44Z'],
  ['Sun, 4 Dec 2005 04:47:44 GMT', 'EEE, d MMM yyyy HH:mm:ss z', '2005-12-04T04:47:44Z'],
  ['Sun Dec 04 04:47:44 2005', 'EEE MMM d HH:mm:ss yyyy', '2005-12-04T04:47:44Z'],
  ['Sun Dec  4 04:47:44 2005', 'EEE MMM d HH:mm:ss yyyy', '2005-12-04T04:47:44Z'],
  ['Sun Dec  4 04:47:44 UTC 2005', 'EEE MMM d HH:mm:ss z yyyy', '2005-12-04T04:47:44Z'],
  ['16/May/2017:10:20:30 -0700', 'dd/MMM/yyyy:HH:mm:ss XX', '2017-05-16T17:20:30Z'],
  ['[16/May/2017:10:20:30 -0700]', '[dd/MMM/yyyy:HH:mm:ss XX]', '2017-05-16T17:20:30Z'],
  ['Sunday, December 4, 2005 4:47 PM', 'EEEE, MMMM d, yyyy h:mm a', '2005-12-04T16:47:00Z'],
  ['20050603', 'yyyyMMdd', '2005-06-03T00:00:00Z'],
  ['20050603154250', 'yyyyMMddHHmmss', '2005-06-03T15:42:50Z'],
  ['20050603T154250Z', "yyyyMMdd'T'HHmmssXXX", '2005-06-03T15:42:50Z'],
  ['2017-05-16T10:20Z', "yyyy-MM-dd'T'HH:mmXXX", '2017-05-16T10:20:00Z'],
  ['2017-05-16 10:20:30+02', 'yyyy-MM-dd HH:mm:ssX', '2017-05-16T08:20:30Z'],
  ['5 January 2021', 'd MMMM yyyy', '2021-01-05T00:00:00Z'],
  ['25.12.2021 07:08', 'dd.MM.yyyy HH:mm', '2021-12-25T07:08:00Z'],
];

describe('date formats', () => {
  it.each(WRITTEN)('[D3] “%s” is read by %s, and offered by itself', (value, pattern, at) => {
    expect(read(pattern, value)).toBe(Date.parse(at));
    const [offer] = detectFormats([value]);
    expect(offer).toMatchObject({ formats: [pattern], values: 1, doubt: null, exampleAt: Date.parse(at) });
  });

  it('[D3] a date written by any offered pattern is read back to the precision of the pattern', () => {
    const patterns = [...new Set(WRITTEN.map(([, pattern]) => pattern))];
    const instants = fc.integer({ min: Date.UTC(1970, 0, 2), max: Date.UTC(2099, 11, 30) });
    const offsets = fc.constantFrom(0, 60, -420, 330, 345, -210);
    fc.assert(
      fc.property(fc.constantFrom(...patterns), instants, offsets, (pattern, at, offset) => {
        const written = writeDate(pattern, at, /X/.test(pattern) ? offset : 0);
        const unit = /S/.test(pattern)
          ? 1
          : /s/.test(pattern)
            ? 1_000
            : /m/.test(pattern)
              ? 60_000
              : 86_400_000;
        expect(read(pattern, written)).toBe(Math.floor(at / unit) * unit);
        // A pattern that is detected in one value reads it to the same instant.
        const [offer] = detectFormats([written]);
        if (offer !== undefined && offer.doubt === null)
          expect(textReader(offer).read(written)).toBe(Math.floor(at / unit) * unit);
      }),
    );
  });

  it('[D3] several formats are tried in order, and no other text is a date', () => {
    const both = ['yyyy.MM.dd', 'dd/MM/yyyy'];
    expect(read(both, '2005.06.03')).toBe(Date.UTC(2005, 5, 3));
    expect(read(both, '03/06/2005')).toBe(Date.UTC(2005, 5, 3));
    expect(read(both, '2005-06-03')).toBeNull();
    expect(read([...both, 'iso'], '2005-06-03')).toBe(Date.UTC(2005, 5, 3));
    expect(read(['MM/dd/yyyy', 'dd/MM/yyyy'], '03/04/2005')).toBe(Date.UTC(2005, 2, 4));
  });

  it.each([
    ['yyyy-MM-dd', '2019-02-29'],
    ['yyyy-MM-dd', '2019-02-28 '],
    ['yyyy-MM-dd', '19-02-28'],
    ['yyyy-MM-dd HH:mm:ss', '2019-02-28 24:00:00'],
    ['yyyy-MM-dd HH:mm:ss', '2019-02-28 23:59:60'],
    ['yyyy-MM-dd hh:mm a', '2019-02-28 13:00 PM'],
    ['yyyy-MM-dd hh:mm a', '2019-02-28 00:30 AM'],
    ['EEE, d MMM yyyy', 'Mon, 4 Dec 2005'],
    ['d MMM yyyy', '4 Dez 2005'],
    ['yyyy-MM-dd HH:mm:ssX', '2019-02-28 10:00:00+24'],
    ['yyyy-MM-dd HH:mm:ss z', '2019-02-28 10:00:00 IST'],
    ['yyyy-MM-dd HH:mm:ss.SSS', '2019-02-28 10:00:00.'],
  ])('[D3] %s does not read “%s”', (pattern, text) => {
    expect(read(pattern, text)).toBeNull();
  });

  it('[D3] one letter reads one or two digits, a space one or more, a fraction any number of digits', () => {
    expect(read('MMM d HH:mm:ss yyyy', 'Dec   4 04:47:44 2005')).toBe(Date.UTC(2005, 11, 4, 4, 47, 44));
    expect(read('d/M/yyyy', '14/12/2005')).toBe(Date.UTC(2005, 11, 14));
    expect(read('yyyy-MM-dd HH:mm:ss.S', '2005-12-04 00:00:00.123456789')).toBe(
      Date.UTC(2005, 11, 4, 0, 0, 0, 123),
    );
    expect(read('yyyyMMddHHmmssSSS', '20051204000000123')).toBe(Date.UTC(2005, 11, 4, 0, 0, 0, 123));
    expect(read('d MMM yyyy h:mm a', '4 dec 2005 12:05 am')).toBe(Date.UTC(2005, 11, 4, 0, 5));
    expect(read('d MMM yyyy h:mm a', '4 DEC 2005 12:05 PM')).toBe(Date.UTC(2005, 11, 4, 12, 5));
    expect(read("yyyy-MM-dd 'o''clock' HH", "2005-12-04 o'clock 07")).toBe(Date.UTC(2005, 11, 4, 7));
  });

  it('[D3] years of two digits are 1970 to 2069', () => {
    expect(read('dd-MM-yy', '31-12-69')).toBe(Date.UTC(2069, 11, 31));
    expect(read('dd-MM-yy', '01-01-70')).toBe(0);
  });

  it('[D4] numbers stay Unix time, unless a format has digits only', () => {
    const text = textReader({ formats: ['yyyy.MM.dd'] });
    const digits = textReader({ formats: ['yyyyMMdd'] });
    expect(readReferenceTime(1_500_000_000, 'seconds', text)).toEqual({ at: 1_500_000_000_000 });
    expect(readReferenceTime(20170516, 'seconds', digits)).toEqual({ at: Date.UTC(2017, 4, 16) });
    expect(readReferenceTime(20170516n, 'seconds', digits)).toEqual({ at: Date.UTC(2017, 4, 16) });
    expect(readReferenceTime(1_500_000_000, 'seconds', digits)).toEqual({ reason: 'not a date' });
    expect(readReferenceTime(['2005.06.03', 'x', '2004.06.03'], 'seconds', text)).toEqual({
      at: Date.UTC(2004, 5, 3),
    });
    expect(readReferenceTime('1969.12.31', 'seconds', text)).toEqual({ reason: 'out of range' });
  });

  it.each([
    ['YYYY-MM-dd', 'write yyyy'],
    ['yyyy-MM-DD', 'write dd'],
    ['yyyy-MM-ddTHH', "'T'"],
    ["yyyy-MM-dd'T", 'not closed'],
    ['yyyy-mm-dd', 'needs a year (yyyy), a month'],
    ['HH:mm', 'needs a year'],
    ['yyyy-MM-dd mm', 'Minutes need hours'],
    ['yyyy-MM-dd hh:mm', 'need each other'],
    ['yyyy-MM-dd HH a', 'need each other'],
    ['yyyy-MM-dd dd', 'has one day'],
    ['yyyMMdd', 'there are y, yy, yyyy'],
    ['dMyyyy', 'write dd'],
    ['', 'is a pattern'],
    ['y'.repeat(101), 'at most 100'],
  ])('[D3] the pattern “%s” is refused with the valid form', (pattern, says) => {
    expect(problem(pattern)).toContain(says);
  });

  it('[D3] any text is read in time linear in its length, or refused', () => {
    const reader = textReader({ formats: ['EEE MMM d HH:mm:ss.S yyyy', 'yyyy-MM-dd HH:mm:ss.SSS'] });
    expect(reader.read(`2005-06-03${' '.repeat(1_000_000)}00:00:00.${'1'.repeat(1_000_000)}`)).toBe(
      Date.UTC(2005, 5, 3, 0, 0, 0, 111),
    );
    fc.assert(fc.property(fc.string(), text => reader.read(text) === null));
  });
});

describe('detected formats', () => {
  it('[D3] an ambiguous order of day and month is a choice', () => {
    const offers = detectFormats(['03/04/2005', '05/06/2005', 'n/a']);
    expect(offers.map(({ formats, doubt, values }) => [formats, doubt, values])).toEqual([
      [['dd/MM/yyyy'], 'order', 2],
      [['MM/dd/yyyy'], 'order', 2],
    ]);
    const [shown] = detectFormats(['03/04/2005', '25/06/2005']);
    expect(shown).toMatchObject({ formats: ['dd/MM/yyyy'], doubt: null, values: 2 });
  });

  it('[D3] a day above 12 in both places leaves the choice open', () => {
    const offers = detectFormats(['25/06/2005', '06/25/2005', '01/02/2005']);
    expect(offers.map(({ doubt }) => doubt)).toEqual(['order', 'order']);
  });

  it('[D3] years of two digits are never certain', () => {
    const offers = detectFormats(['25/06/05', '26/06/05']);
    expect(offers.length).toBeGreaterThan(0);
    expect(offers.every(({ doubt }) => doubt === 'year')).toBe(true);
    expect(detectFormats(['081109']).every(({ doubt }) => doubt === 'year')).toBe(true);
  });

  it('[D3] several notations are offered together, the most frequent first, including ISO 8601', () => {
    const values = ['2005.06.03', '2005.06.04', '2005-06-03T00:00:00Z', '4 Jun 2005'];
    expect(detectFormats(values)).toMatchObject([
      { formats: ['yyyy.MM.dd', 'iso', 'd MMM yyyy'], values: 4, doubt: null },
    ]);
  });

  it.each([
    [['R02-M1-N0-C:J12-U11', 'R02-M1-N0-C:J12-U01']],
    [['2005-06-03', '2005-06-03T10:00:00Z']],
    [['10.0.0.1', '192.168.1.20', '1.2.3.2005']],
    [['12345678', '87654321', '19999999']],
    [['', 'never', 'null', '-']],
    [['yes', 'no', ...Array.from({ length: 30 }, () => 'maybe'), '2005.06.03']],
    [['v2005.06.03', '2005.06.03-rc1', '3.5.2005.1']],
  ])('[D3] %j offer nothing', values => {
    expect(detectFormats(values)).toEqual([]);
  });
});
