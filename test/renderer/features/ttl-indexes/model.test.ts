import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../../renderer/api/problem.ts';
import type {
  ChosenDefinition,
  DraftContext,
  IndexDraft,
} from '../../../../renderer/features/ttl-indexes/draft/index-draft.ts';
import {
  draftFrom,
  draftOf,
  isComplete,
  readDraft,
} from '../../../../renderer/features/ttl-indexes/draft/read-draft.ts';
import { placeOf, refusalsOf } from '../../../../renderer/features/ttl-indexes/draft/refusals.ts';
import { formatFate, removes } from '../../../../renderer/features/ttl-indexes/format/format-action.ts';
import {
  formatLife,
  formatLimits,
  formatSchedule,
} from '../../../../renderer/features/ttl-indexes/format/format-index.ts';
import { healthOf } from '../../../../renderer/features/ttl-indexes/list/index-health.ts';
import {
  formatReason,
  formatShare,
  horizonRows,
  isFieldUnknown,
  otherUnit,
} from '../../../../renderer/features/ttl-indexes/preview/preview-figures.ts';
import { indexCall } from '../../../../renderer/features/ttl-indexes/review/index-call.ts';
import type { Hold } from '../../../../shared/contract/reaper.ts';
import type { FieldCandidate, TtlIndex } from '../../../../shared/contract/ttl-indexes.ts';
import { anIndex, aPreview, aReaper } from './build.ts';

const NEW: DraftContext = {
  collection: 'logs',
  collections: new Set(['logs', 'archive']),
  taken: new Set(),
  editing: null,
};
const draft = (change: Partial<IndexDraft> = {}): IndexDraft => ({
  ...draftFrom([], 0),
  field: 'ts',
  unit: 'milliseconds',
  expireAfter: '90d',
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
  offers: [],
});
const preview = aPreview;
const index = anIndex();

describe('the form of a TTL index', () => {
  it('starts with the best date field, and a duration of 0 for a field named as a deadline', () => {
    expect(draftFrom([candidate('seq', 0), candidate('ts', 9)], 0)).toMatchObject({
      field: 'ts',
      expireAfter: '30d',
    });
    expect(draftFrom([candidate('expiresAt', 9)], 0).expireAfter).toBe('0');
    expect(draftFrom([], 0).field).toBe('');
  });
  it('suggests a free name by the input, until one is typed', () => {
    expect(readDraft(draft(), NEW).name).toBe('ts_90d');
    expect(readDraft(draft({ expireAfter: '1h 30m' }), NEW).name).toBe('ts_1h30m');
    expect(readDraft(draft(), { ...NEW, taken: new Set(['ts_90d', 'ts_90d_2']) }).name).toBe('ts_90d_3');
    expect(readDraft(draft({ name: 'mine' }), NEW).name).toBe('mine');
  });
  it('reports problems by control', () => {
    expect(readDraft(draft({ field: 'a..b' }), NEW).problems.field).toContain('a..b');
    expect(readDraft(draft({ expireAfter: '90' }), NEW).problems.expireAfter).toContain('90d');
    expect(readDraft(draft({ name: 'x' }), { ...NEW, taken: new Set(['x']) }).problems.name).toContain(
      'x already exists',
    );
    expect(readDraft(draft({ name: 'a/b' }), NEW).problems.name).toContain('/');
    expect(readDraft(draft({ mode: 'every', every: '2d' }), NEW).problems.every).toContain('one day');
    expect(isComplete(readDraft(draft({ expireAfter: '' }), NEW))).toBe(false);
    expect(isComplete(readDraft(draft(), NEW))).toBe(true);
  });
  it('shows an index as it would be typed, and keeps its name', () => {
    const read = readDraft(draftOf(index), { ...NEW, taken: new Set(['ts_90d']), editing: 'ts_90d' });
    const { source, onExpire, schedule, retention } = index;
    expect(read).toMatchObject({ definition: { source, onExpire, schedule, retention }, name: 'ts_90d' });
    expect(isComplete(read)).toBe(true);
  });
  it.each<[string, Partial<TtlIndex>]>([
    [
      'a TTL of its own',
      { source: { kind: 'field', field: 'ts', unit: 'seconds', expireAfterField: 'ttl' } },
    ],
    ['the last write', { source: { kind: 'lastModified', expireAfter: 0 } }],
    ['an expression', { source: { kind: 'expression', expression: 'doc.at + 1' } }],
    ['patch', { onExpire: { action: 'patch', patch: { claim: null, big: 12345678901234567890n } } }],
    ['replace', { onExpire: { action: 'replace', expression: 'without(doc, "c")' } }],
    ['move', { onExpire: { action: 'move', to: 'archive' } }],
    ['cron', { schedule: { mode: 'cron', cron: '0 3 * * *', timeZone: 'Europe/Berlin' } }],
    ['observe', { schedule: { mode: 'observe' } }],
    ['no copies', { retention: 0 }],
    ['copies for an hour', { retention: 3600 }],
  ])('[D2, D7, D8, A1, A2, A3, A4, R1, X4] sends %s as it is shown', (_, change) => {
    const { source, onExpire, schedule, limits, retention } = anIndex(change);
    const read = readDraft(draftOf(anIndex(change)), { ...NEW, editing: 'ts_90d' });
    expect(read.definition).toEqual({ source, onExpire, schedule, limits, retention });
  });
  it('reports missing input of each source, action and schedule', () => {
    const problems = (change: Partial<IndexDraft>) => readDraft(draft(change), NEW).problems;
    expect(problems({ life: 'own' }).ttlField).toContain('duration');
    expect(problems({ life: 'own', expireAfter: '' })).not.toHaveProperty('expireAfter');
    expect(problems({ kind: 'expression' }).expression).toBe('Enter an expression.');
    expect(problems({ kind: 'lastModified', field: '', expireAfter: '9' })).toEqual({
      expireAfter: expect.stringContaining('9s'),
    });
    expect(problems({ action: 'patch', patch: '[1]' }).patch).toContain('JSON object');
    expect(problems({ action: 'patch', patch: '{' }).patch).toContain('Not valid JSON');
    expect(problems({ action: 'patch', patch: '{}' }).patch).toContain('changes nothing');
    expect(problems({ action: 'move', moveTo: 'logs' }).moveTo).toContain('already in logs');
    expect(problems({ action: 'move', moveTo: 'nowhere' }).moveTo).toContain('no collection named nowhere');
    expect(problems({ mode: 'cron' }).cron).toContain('0 3 * * *');
    expect(problems({ retention: '5' }).retention).toContain('5d');
  });
  it('still counts the source while its action is invalid', () => {
    const read = readDraft(draft({ action: 'patch', patch: '{' }), NEW);
    expect(read).toMatchObject({ source: { kind: 'field', field: 'ts' }, definition: null });
    expect(isComplete(read)).toBe(false);
  });
});

describe('[X3] the figures of a preview', () => {
  it('have a row per horizon, and the rows add up to the collection', () => {
    const rows = horizonRows(preview());
    expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(1000);
    expect(rows.map(({ length }) => length)).toEqual([1 / 6, 0, 1 / 3, 0, 1, 1 / 6]);
  });
  it('round no share to 0 % or 100 %', () => {
    expect([0, 0.00001, 0.179, 0.99999, 1].map(formatShare)).toEqual([
      '0 %',
      '< 0.1 %',
      '17.9 %',
      '> 99.9 %',
      '100 %',
    ]);
  });
  it('[D8] have the error of an expression for its first document', () => {
    const failed = { reason: 'expression error' as const, count: 2, examples: ['a'], message: 'no such key' };
    expect(formatReason(failed, '')).toBe('the expression fails for 2: no such key');
  });
  it('name reasons, the other unit, and an unknown field', () => {
    expect(formatReason({ reason: 'missing field', count: 2418, examples: [] }, 'ts')).toBe(
      '2,418 have no ts',
    );
    expect(otherUnit(preview())).toEqual({ values: 100, of: 1000 });
    const missing = {
      count: 1000,
      reasons: [{ reason: 'missing field' as const, count: 1000, examples: [] }],
    };
    expect(isFieldUnknown(preview({ never: missing }))).toBe(true);
    expect(isFieldUnknown(preview({ never: missing, documents: 0 }))).toBe(false);
  });
});

describe('a formatted index', () => {
  it('shows its duration and its schedule', () => {
    expect(formatLife(7_776_000, 'ts')).toBe('90 days after ts');
    expect(formatLife(0, 'ts')).toBe('at ts');
    expect(formatSchedule({ mode: 'every', everyMs: 90_000 })).toBe('Every 1 minute 30 seconds');
    expect(formatSchedule({ mode: 'cron', cron: '0 3 * * *', timeZone: 'UTC' })).toBe('At 0 3 * * *, UTC');
    expect(formatLimits({})).toBeNull();
    expect(formatLimits({ removalsPerSecond: 5_000, batchMs: 4 })).toBe(
      'at most 5,000 a second, batches of 4 ms',
    );
  });
  it('[A1, A2, A3, A4, R1] shows its action', () => {
    const exact = { mode: 'exact' } as const;
    expect(formatFate({ action: 'delete' }, exact)).toBeNull();
    expect(formatFate({ action: 'move', to: 'old' }, exact)).toBe('Each moves to old.');
    expect(formatFate({ action: 'delete' }, { mode: 'observe' })).toContain('are not changed');
    expect(removes({ action: 'delete' }, { mode: 'observe' })).toBe(false);
    expect(removes({ action: 'patch', patch: {} }, exact)).toBe(false);
    expect(removes({ action: 'move', to: 'old' }, exact)).toBe(true);
  });
  it('[R6, R8] shows held or unconfirmed before any other state', () => {
    const hold: Hold = {
      id: 'h',
      collection: 'logs',
      cause: 'import',
      index: null,
      since: 1,
      by: 'maya',
      due: 1,
      documents: 2,
      durationMs: null,
      sentence: 'One came with a deadline that had passed.',
    };
    const held = { ...aReaper, holds: [hold] };
    expect(healthOf(index, held, false)).toEqual({ is: 'held', what: 'collection' });
    expect(healthOf({ ...index, collection: 'carts' }, held, false)).toEqual({ is: 'well' });
    expect(healthOf(index, { ...aReaper, holds: [{ ...hold, collection: null }] }, false)).toMatchObject({
      what: 'store',
    });
    expect(healthOf({ ...index, state: 'unconfirmed' }, held, false)).toEqual({ is: 'unconfirmed' });
    expect(healthOf({ ...index, state: 'observing', overdue: 5 }, null, false)).toEqual({ is: 'observing' });
  });
  it('shows its most important state', () => {
    expect(healthOf(index, null, false)).toEqual({ is: 'well' });
    expect(healthOf({ ...index, documents: 0 }, null, false)).toEqual({ is: 'idle' });
    expect(healthOf({ ...index, overdue: 3 }, null, true)).toEqual({ is: 'overdue' });
    // Not late.
    expect(healthOf({ ...index, overdue: 3 }, null, false)).toEqual({ is: 'well' });
    const never = {
      count: 11,
      reasons: [{ reason: 'wrong unit suspected' as const, count: 11, examples: [] }],
    };
    expect(healthOf({ ...index, never }, null, false)).toEqual({ is: 'wrong unit', values: 11 });
    expect(healthOf({ ...index, overdue: 3, paused: { by: 'maya', since: 5 } }, null, false)).toMatchObject({
      is: 'paused',
    });
  });
});

describe('the same change as REST', () => {
  const change = {
    collection: 'a b',
    name: 'n',
    before: null,
    definition: {
      source: index.source,
      onExpire: { action: 'move', to: 'old' },
      schedule: index.schedule,
      limits: {},
      retention: null,
    } as const,
    dueAtOnce: 3,
  };
  it('is valid JSON at the right path', () => {
    const call = indexCall(change);
    expect(call.path).toBe('/api/collections/a%20b/ttl-indexes');
    expect(JSON.parse(call.body)).toEqual({
      name: 'n',
      source: index.source,
      onExpire: { action: 'move', to: 'old' },
      schedule: index.schedule,
      expect: { dueAtOnce: 3 },
    });
    expect(indexCall({ ...change, before: { limits: {} } })).toMatchObject({
      method: 'PATCH',
      path: '/api/collections/a%20b/ttl-indexes/n',
    });
    // A change also contains the members that are reset to the store's default.
    expect(JSON.parse(indexCall({ ...change, before: { limits: {} } }).body)).toMatchObject({
      retention: null,
    });
  });
});

describe('an error of the engine', () => {
  const definition: ChosenDefinition = {
    source: { kind: 'expression', expression: 'doc.' },
    onExpire: { action: 'replace', expression: 'doc +' },
    schedule: { mode: 'exact' },
    limits: {},
    retention: null,
  };
  const refusal = (data: Problem['data']) =>
    refusalsOf({ code: 'INVALID_TTL_INDEX', message: 'no', data }, definition);
  it('is shown at its control', () => {
    expect(refusal({ expression: 'doc.', line: 1, column: 5 })).toEqual({ expression: 'no' });
    expect(refusal({ expression: 'doc +', line: 1, column: 6 })).toEqual({ replacement: 'no' });
    expect(refusal({ schedule: { mode: 'cron', cron: '* *' } })).toEqual({ cron: 'no' });
    const moving = { ...definition, onExpire: { action: 'move', to: 'gone' } as const };
    const problem = { code: 'INVALID_TTL_INDEX', message: 'no', data: { onExpire: moving.onExpire } };
    expect(refusalsOf(problem, moving)).toEqual({ moveTo: 'no' });
    expect(refusalsOf({ code: 'TTL_INDEX_EXISTS', message: 'taken', data: {} }, definition)).toEqual({
      name: 'taken',
    });
    expect(refusalsOf({ code: 'READ_ONLY', message: 'no', data: {} }, definition)).toBeNull();
  });
  it('[D8] is marked at its column while the text is unchanged', () => {
    const problem = { code: 'INVALID_TTL_INDEX', message: 'no' };
    expect(placeOf({ ...problem, data: { expression: 'doc.', line: 1, column: 5 } })).toEqual({
      expression: 'doc.',
      line: 1,
      column: 5,
    });
    expect(placeOf({ ...problem, data: { field: 'a..b' } })).toBeNull();
  });
});
