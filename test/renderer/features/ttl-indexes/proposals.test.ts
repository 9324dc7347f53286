import { describe, expect, it } from 'vitest';
import { freeName, keepsOldDuration } from '../../../../renderer/features/ttl-indexes/draft/index-name.ts';
import { firstDuration } from '../../../../renderer/features/ttl-indexes/draft/read-draft.ts';
import {
  formatContent,
  formatDateShare,
} from '../../../../renderer/features/ttl-indexes/form/field-candidates.ts';
import { showsUnit } from '../../../../renderer/features/ttl-indexes/format/format-index.ts';
import {
  formatOtherIndexes,
  formatSchedules,
} from '../../../../renderer/features/ttl-indexes/preview/format-other-indexes.ts';
import {
  afterForecast,
  hasNumbers,
} from '../../../../renderer/features/ttl-indexes/preview/preview-figures.ts';
import type { FieldCandidate } from '../../../../shared/contract/ttl-indexes.ts';
import type { TimeUnit } from '../../../../shared/model/reference-time.ts';
import type { TtlSource } from '../../../../shared/model/ttl-index.ts';
import { anIndex, aPreview } from './build.ts';

const NOW = 1_800_000_000_000;
const DAY = 86_400_000;
const candidate = (change: Partial<FieldCandidate> = {}): FieldCandidate => ({
  field: 'when',
  present: 10,
  dates: 10,
  types: ['text'],
  unit: null,
  format: 'ISO 8601',
  example: '',
  earliestAt: NOW - 10 * DAY,
  latestAt: NOW - DAY,
  offers: [],
  ...change,
});
const source = (expireAfter: number, unit: TimeUnit = 'milliseconds') => ({
  kind: 'field' as const,
  field: 'lastSeen',
  unit,
  expireAfter,
});

describe('the suggestions of the form', () => {
  it('suggests 0 for future dates, and 30 days for past ones', () => {
    const proposed = (earliest: number, latest: number) =>
      firstDuration(candidate({ earliestAt: NOW + earliest * DAY, latestAt: NOW + latest * DAY }), NOW);
    expect(proposed(1, 30)).toBe('0');
    expect(proposed(-1, 30)).toBe('0');
    expect(proposed(-30, -1)).toBe('30d');
    expect(proposed(-30, 0.01)).toBe('30d');
    expect(proposed(-30, 30)).toBe('30d');
    expect(firstDuration(candidate({ earliestAt: null, latestAt: null }), NOW)).toBe('30d');
  });
  it('requires the unit of numbers if there are any, or may be', () => {
    expect(hasNumbers(candidate(), aPreview({ never: { count: 0, reasons: [] } }))).toBe(false);
    expect(hasNumbers(candidate({ types: ['number', 'text'] }), aPreview())).toBe(true);
    expect(hasNumbers(undefined, null)).toBe(true);
    const never = {
      count: 1,
      reasons: [{ reason: 'wrong unit suspected' as const, count: 1, examples: [] }],
    };
    expect(hasNumbers(candidate(), aPreview({ never }))).toBe(true);
    expect(showsUnit(anIndex({ source: source(1, 'seconds') }))).toBe(false);
    expect(showsUnit(anIndex({ source: source(1) }))).toBe(true);
    expect(showsUnit(anIndex({ source: source(1, 'seconds'), never }))).toBe(true);
  });
  it('notes that a name contains the former duration', () => {
    expect(freeName(source(3600), new Set())).toBe('lastSeen_1h');
    expect(keepsOldDuration('lastSeen_1h', source(3600), source(1800))).toBe(true);
    expect(keepsOldDuration('lastSeen_1h', source(3600), source(3600))).toBe(false);
    expect(keepsOldDuration('sessions', source(3600), source(1800))).toBe(false);
    expect(keepsOldDuration('lastSeen_at', source(0), source(1800))).toBe(true);
  });
  it('names an index of every kind after its source', () => {
    const names = (given: TtlSource) => freeName(given, new Set());
    expect(names({ kind: 'lastModified', expireAfter: 86_400 })).toBe('lastModified_1d');
    expect(names({ kind: 'field', field: 'ts', unit: 'seconds', expireAfterField: 'ttl' })).toBe('ts_own');
    expect(names({ kind: 'expression', expression: 'doc.at' })).toBe('expression');
  });
});

describe('beside other indexes', () => {
  const other = (change = {}) => anIndex({ name: 'at_expiry', overdue: 0, dueNextHour: 40, ...change });
  it('names the indexes that the preview leaves out', () => {
    expect(formatOtherIndexes([])).toBeNull();
    expect(formatOtherIndexes([other()])).toBe(
      'This index alone. at_expiry already removes 40 of them within the hour; the earliest deadline wins.',
    );
    expect(formatOtherIndexes([other({ dueNextHour: 0 })])).toContain(
      'at_expiry acts on the collection, too',
    );
    expect(formatOtherIndexes([other({ paused: { by: 'maya', since: 1 } })])).not.toContain('removes');
    expect(formatOtherIndexes([other(), other({ name: 'b', dueNextHour: 3 })])).toContain(
      'within the hour, b 3;',
    );
  });
  it('shows their schedules, each where they differ', () => {
    const exact = { mode: 'exact' } as const;
    expect(formatSchedules([])).toBe('none');
    expect(formatSchedules([other({ schedule: exact }), other({ schedule: exact })])).toBe(
      'Exact, at each deadline',
    );
    expect(
      formatSchedules([
        other({ schedule: exact }),
        other({ name: 'b', schedule: { mode: 'every', everyMs: 60_000 } }),
      ]),
    ).toBe('at_expiry: Exact, at each deadline; b: Every 1 minute');
  });
});

describe('a forecast', () => {
  it('states the number of later expiries', () => {
    const told = { bucketMs: 1, due: [200, 300] };
    expect(
      afterForecast(aPreview({ nextHour: 0, nextDay: 200, nextWeek: 0, later: 600, forecast: told })),
    ).toBe(300);
  });
});

describe('the content of a candidate', () => {
  it('is its format with dates, else its types', () => {
    const none = { dates: 0, format: 'not a date' };
    expect(formatContent({ offers: [], dates: 3, format: 'milliseconds', types: ['number'] })).toBe(
      'milliseconds',
    );
    expect(formatContent({ offers: [], ...none, types: ['text'] })).toBe('text, no date');
    expect(formatContent({ offers: [], ...none, types: ['array', 'object'] })).toBe(
      'list or object, no date',
    );
    expect(formatDateShare({ offers: [], dates: 940, present: 1_000 })).toBe(
      '940 of the 1,000 that have it read as a date',
    );
  });
});
