import { describe, expect, it } from 'vitest';
import { indexCall } from '../../../../renderer/features/ttl-indexes/indexCall.ts';
import {
  type DraftContext,
  draftFrom,
  draftOf,
  type IndexDraft,
  isComplete,
  readDraft,
} from '../../../../renderer/features/ttl-indexes/indexDraft.ts';
import {
  healthOf,
  lifeInWords,
  scheduleInWords,
} from '../../../../renderer/features/ttl-indexes/indexWords.ts';
import {
  horizonRows,
  isFieldUnknown,
  isLarge,
  otherUnit,
  reasonText,
  shareText,
} from '../../../../renderer/features/ttl-indexes/previewWords.ts';
import type { FieldCandidate } from '../../../../shared/contract/ttl-indexes.ts';
import { anIndex, aPreview } from './build.ts';

const NEW: DraftContext = { taken: new Set(), editing: null };
const draft = (change: Partial<IndexDraft> = {}): IndexDraft => ({
  field: 'ts',
  unit: 'milliseconds',
  expireAfter: '90d',
  name: null,
  mode: 'exact',
  every: '1m',
  ...change,
});
const candidate = (field: string, dates: number): FieldCandidate => ({
  field,
  present: 10,
  dates,
  types: ['number'],
  unit: dates > 0 ? 'milliseconds' : null,
  format: dates > 0 ? 'milliseconds' : 'not a date',
  example: 1,
  earliestAt: null,
  latestAt: null,
});
const preview = aPreview;
const index = anIndex();

describe('the form of a TTL index', () => {
  it('begins with the best date field, and adds nothing to one that is a deadline by name', () => {
    expect(draftFrom([candidate('seq', 0), candidate('ts', 9)], 0)).toMatchObject({
      field: 'ts',
      expireAfter: '30d',
    });
    expect(draftFrom([candidate('expiresAt', 9)], 0).expireAfter).toBe('0');
    expect(draftFrom([], 0).field).toBe('');
  });
  it('suggests a free name that follows the form, until one is typed', () => {
    expect(readDraft(draft(), NEW).name).toBe('ts_90d');
    expect(readDraft(draft({ expireAfter: '1h 30m' }), NEW).name).toBe('ts_1h30m');
    expect(readDraft(draft(), { ...NEW, taken: new Set(['ts_90d', 'ts_90d_2']) }).name).toBe('ts_90d_3');
    expect(readDraft(draft({ name: 'mine' }), NEW).name).toBe('mine');
  });
  it('says beside which control something is wrong', () => {
    expect(readDraft(draft({ field: 'a..b' }), NEW).problems.field).toContain('a..b');
    expect(readDraft(draft({ expireAfter: '90' }), NEW).problems.expireAfter).toContain('90d');
    expect(readDraft(draft({ name: 'x' }), { ...NEW, taken: new Set(['x']) }).problems.name).toContain(
      'x exists',
    );
    expect(readDraft(draft({ name: 'a/b' }), NEW).problems.name).not.toBeNull();
    expect(readDraft(draft({ mode: 'every', every: '2d' }), NEW).problems.every).toContain('one day');
    expect(isComplete(readDraft(draft({ expireAfter: '' }), NEW))).toBe(false);
    expect(isComplete(readDraft(draft(), NEW))).toBe(true);
  });
  it('reads an index back as it would be typed, and keeps its name', () => {
    const read = readDraft(draftOf(index), { taken: new Set(['ts_90d']), editing: 'ts_90d' });
    expect(read).toMatchObject({ source: index.source, schedule: index.schedule, name: 'ts_90d' });
    expect(isComplete(read)).toBe(true);
  });
});

describe('[X3] a preview in words', () => {
  it('has a row per horizon, which add up to the collection', () => {
    const rows = horizonRows(preview());
    expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(1000);
    expect(rows.map(({ length }) => length)).toEqual([1 / 6, 0, 1 / 3, 0, 1, 1 / 6]);
  });
  it('never rounds a share to nothing or to everything', () => {
    expect([0, 0.00001, 0.179, 0.99999, 1].map(shareText)).toEqual([
      '0 %',
      '< 0.1 %',
      '17.9 %',
      '> 99.9 %',
      '100 %',
    ]);
  });
  it('names reasons, the other unit, and a field nobody has', () => {
    expect(reasonText({ reason: 'missing field', count: 2418, examples: [] }, 'ts')).toBe('2,418 have no ts');
    expect(otherUnit(preview())).toEqual({ values: 100, of: 1000 });
    const missing = {
      count: 1000,
      reasons: [{ reason: 'missing field' as const, count: 1000, examples: [] }],
    };
    expect(isFieldUnknown(preview({ never: missing }))).toBe(true);
    expect(isFieldUnknown(preview({ never: missing, documents: 0 }))).toBe(false);
  });
  it('asks for the name above a tenth of the collection, or from 10,000 documents on', () => {
    expect(isLarge(preview({ dueAtOnce: 100 }))).toBe(false);
    expect(isLarge(preview({ dueAtOnce: 101 }))).toBe(true);
    expect(isLarge(preview({ documents: 1_000_000, dueAtOnce: 9_999 }))).toBe(false);
    expect(isLarge(preview({ documents: 1_000_000, dueAtOnce: 10_000 }))).toBe(true);
  });
});

describe('an index in words', () => {
  it('says how long a document lives, and when the reaper looks', () => {
    expect(lifeInWords({ expireAfter: 7_776_000 })).toBe('90 days after');
    expect(lifeInWords({ expireAfter: 0 })).toBe('at');
    expect(scheduleInWords({ mode: 'every', everyMs: 90_000 })).toBe('Every 1 minute 30 seconds');
  });
  it('says what is most worth knowing', () => {
    expect(healthOf(index, null)).toEqual({ is: 'well' });
    expect(healthOf({ ...index, documents: 0 }, null)).toEqual({ is: 'idle' });
    expect(healthOf({ ...index, overdue: 3 }, null)).toEqual({ is: 'overdue' });
    const never = {
      count: 11,
      reasons: [{ reason: 'wrong unit suspected' as const, count: 11, examples: [] }],
    };
    expect(healthOf({ ...index, never }, null)).toEqual({ is: 'wrong unit', values: 11 });
    expect(healthOf({ ...index, overdue: 3, paused: { by: 'maya', since: 5 } }, null)).toMatchObject({
      is: 'paused',
    });
  });
});

describe('the same change as REST', () => {
  const change = {
    collection: 'a b',
    name: 'n',
    isNew: true,
    source: index.source,
    schedule: index.schedule,
    dueAtOnce: 3,
  };
  it('is valid JSON under the right address', () => {
    const call = indexCall(change);
    expect(call.path).toBe('/api/collections/a%20b/ttl-indexes');
    expect(JSON.parse(call.body)).toEqual({
      name: 'n',
      source: index.source,
      onExpire: { action: 'delete' },
      schedule: index.schedule,
      expect: { dueAtOnce: 3 },
    });
    expect(indexCall({ ...change, isNew: false })).toMatchObject({
      method: 'PATCH',
      path: '/api/collections/a%20b/ttl-indexes/n',
    });
  });
});
