import { describe, expect, it } from 'vitest';
import {
  formatFilter,
  hasMore,
  matchingFilter,
} from '../../../../renderer/features/documents/bulk/matching-filter.ts';
import { remainingLife } from '../../../../renderer/features/documents/expiration/remaining-life.ts';
import {
  DEFAULT_QUERY,
  isFiltered,
  listInput,
  parseDocumentsQuery,
} from '../../../../renderer/features/documents/list/documents-query.ts';
import { applyEdits, CHUNK, canRetry } from '../../../../renderer/features/documents/staging/apply-edits.ts';
import {
  effectOf,
  formatEffect,
  groups,
  NOTHING_STAGED,
  stage,
  unstage,
} from '../../../../renderer/features/documents/staging/staged-edits.ts';
import { columnsOf, fieldValue } from '../../../../renderer/features/documents/table/columns.ts';
import { certainlyFits, formatCell } from '../../../../renderer/features/documents/table/format-cell.ts';
import { row } from './build.ts';

describe('the query of the documents page', () => {
  it('is parsed from the URL, without what is omitted', () => {
    expect(parseDocumentsQuery('')).toEqual(DEFAULT_QUERY);
    const query = {
      ...DEFAULT_QUERY,
      state: 'soon' as const,
      filter: 'a&b',
      dueFrom: 5,
      dueTo: 10,
      order: 'desc' as const,
    };
    expect(parseDocumentsQuery('state=soon&filter=a%26b&dueFrom=5&dueTo=10&order=desc')).toEqual(query);
  });
  it('ignores invalid parts', () => {
    expect(parseDocumentsQuery('state=purple&dueFrom=soon&sort=size')).toEqual(DEFAULT_QUERY);
  });
  it('sends only values other than the defaults', () => {
    expect(listInput({ ...DEFAULT_QUERY, filter: '  ' }, 100)).toEqual({ sort: 'deadline', order: 'asc' });
    expect(listInput({ ...DEFAULT_QUERY, dueTo: 500 }, 100)).toMatchObject({ dueTo: 500 });
    expect(isFiltered(DEFAULT_QUERY)).toBe(false);
    expect(isFiltered({ ...DEFAULT_QUERY, dueTo: 5 })).toBe(true);
  });
});

describe('the filter of overdue documents', () => {
  it('covers all documents past their deadline, for any reason of waiting', () => {
    const query = { ...DEFAULT_QUERY, state: 'overdue' as const };
    const asked = { sort: 'deadline', order: 'asc', includeExpired: true, dueTo: 101 };
    expect(listInput(query, 100)).toEqual(asked);
    expect(listInput({ ...query, dueTo: 50 }, 100)).toEqual({ ...asked, dueTo: 50 });
  });
  it('replaces the former state paused', () => {
    expect(parseDocumentsQuery('state=paused').state).toBe('overdue');
  });
});

describe('columns', () => {
  const rows = [
    row('a', { document: { _id: 'a', tenant: 'acme', n: 1, meta: { ip: '1.2.3.4', deep: { x: 1 } } } }),
    row('b', { document: { _id: 'b', tenant: 'acme', n: 9007199254740993n } }),
  ];
  it('are derived from the data, objects one level deep', () => {
    const titles = columnsOf(rows).map(({ title }) => title);
    expect(titles.slice(0, 5)).toEqual(['_id', 'State', 'Deadline', 'From', 'Last write']);
    expect(titles.slice(5)).toEqual(['tenant', 'n', 'meta.ip', 'meta.deep']);
  });
  it('are numeric if every value is, also large integers', () => {
    expect(columnsOf(rows).find(({ title }) => title === 'n')?.isNumeric).toBe(true);
  });
  it('read their value; undefined without one', () => {
    expect(fieldValue({ meta: { ip: 'x' } }, ['meta', 'ip'])).toBe('x');
    expect(fieldValue({ meta: 3 }, ['meta', 'ip'])).toBeUndefined();
  });
  it('show large integers unrounded, and long text on one line', () => {
    expect(formatCell(9007199254740993n)).toBe('9007199254740993');
    expect(formatCell('a\n  b')).toBe('a b');
    expect(formatCell('x'.repeat(500)).length).toBe(201);
  });
  it('are clipped if they may not fit, and always with wide letters', () => {
    expect(certainlyFits('session 0000001', 150)).toBe(true);
    expect(certainlyFits('x'.repeat(120), 260)).toBe(false);
    expect(certainlyFits('時刻', 150)).toBe(false);
  });
});

describe('staged edits', () => {
  const a = row('a', { deadlineAt: 2_000 });
  const b = row('b');
  it('keep the first state of the document, and group equal edits', () => {
    const later = { ...a, deadlineAt: 9_999 };
    const staged = stage(stage(NOTHING_STAGED, [a, b], { kind: 'after', seconds: 5 }), [later], {
      kind: 'never',
    });
    expect(staged.get('a')).toEqual({ before: a, edit: { kind: 'never' } });
    expect(groups(stage(staged, [row('c')], { kind: 'never' })).map(({ edits }) => edits.length)).toEqual([
      2, 1,
    ]);
    expect([...unstage(staged, ['a']).keys()]).toEqual(['b']);
  });
  it('count documents that expire later or sooner', () => {
    const effect = effectOf(stage(NOTHING_STAGED, [a, b], { kind: 'after', seconds: 5 }).values(), 1_000);
    expect(effect).toEqual({ longer: 1, shorter: 1, same: 0, unknown: 0 });
    expect(formatEffect(effect)).toBe('1 will expire later, 1 sooner.');
  });
});

describe('[E3] applying staged edits', () => {
  const many = Array.from({ length: CHUNK + 20 }, (_, i) => row(`d${i}`));
  const staged = stage(NOTHING_STAGED, many, { kind: 'after', seconds: 60 });
  const done = { state: 'done' as const, failed: [], error: null };
  const refused = new Error('refused');
  const refusalOf = (error: unknown) =>
    error === refused ? { code: 'INVALID_EXPIRATION', message: 'That moment has passed.' } : null;
  const run = (write: Parameters<typeof applyEdits>[1]['write'], signal = new AbortController().signal) =>
    applyEdits(staged, { write, signal, refusalOf, onProgress: () => {}, elapsed: () => 0 });

  it('writes in chunks and reports by id what failed', async () => {
    const sizes: number[] = [];
    const failure = { _id: 'd3', code: 'DOCUMENT_NOT_FOUND', message: 'gone' };
    const result = await run(async ({ ids }) => {
      sizes.push(ids.length);
      return { ...done, failed: ids.includes('d3') ? [failure] : [] };
    });
    expect(sizes).toEqual([CHUNK, 20]);
    expect(result.failed).toEqual([failure]);
    expect(result.succeeded).toHaveLength(many.length - 1);
    expect(canRetry(failure)).toBe(false);
  });
  it('fails only for the documents of a refused expiration, without retry', async () => {
    const result = await run(async ({ ids }) => {
      if (ids.length === CHUNK) throw refused;
      return done;
    });
    expect(result).toMatchObject({ left: 0, error: null });
    expect(result.succeeded).toHaveLength(20);
    expect(result.failed).toHaveLength(CHUNK);
    expect(result.failed[0]).toEqual({
      _id: 'd0',
      code: 'INVALID_EXPIRATION',
      message: 'That moment has passed.',
    });
    expect(result.failed.some(canRetry)).toBe(false);
  });
  it('reports a job that ended early as an error, with its documents unwritten', async () => {
    const result = await run(async () => ({ state: 'failed', error: 'disk full' }));
    expect(result).toMatchObject({ succeeded: [], left: many.length, error: new Error('disk full') });
  });
  it('stops between chunks when cancelled', async () => {
    const cancel = new AbortController();
    const result = await run(async () => {
      cancel.abort();
      return done;
    }, cancel.signal);
    expect(result).toMatchObject({ left: 20, error: null });
  });
  it('leaves the rest unwritten when the connection is lost', async () => {
    const gone = new Error('gone');
    const result = await run(async ({ ids }) => {
      if (ids.length < CHUNK) throw gone;
      return done;
    });
    expect(result).toMatchObject({ left: 20, error: gone });
    expect(result.succeeded).toHaveLength(CHUNK);
  });
});

describe('[E3] a change of all matching documents', () => {
  const query = {
    ...DEFAULT_QUERY,
    sort: 'deadline',
    state: 'soon',
    filter: ' kite ',
    includeExpired: true,
  } as const;
  it('has the filter of the list, without its sort order', () => {
    expect(matchingFilter(query, 1_000)).toEqual({ state: 'soon', filter: 'kite' });
    expect(matchingFilter(DEFAULT_QUERY, 1_000)).toEqual({});
    expect(matchingFilter({ ...DEFAULT_QUERY, state: 'overdue' }, 1_000)).toEqual({ dueTo: 1_001 });
  });
  it('describes the filter', () => {
    expect(formatFilter(query, 1_000, 'utc')).toBe('state Soon, containing “kite”');
    expect(formatFilter(DEFAULT_QUERY, 1_000, 'utc')).toBeNull();
    expect(formatFilter({ ...DEFAULT_QUERY, index: 'ts_1d', reason: 'not a date' }, 0, 'utc')).toBe(
      'never by ts_1d, not a date',
    );
  });
  it('is offered if the list has more rows than are in memory', () => {
    const loaded = () => [row('a')];
    expect(hasMore({ isCounted: true, slots: 1, loaded })).toBe(false);
    expect(hasMore({ isCounted: true, slots: 2, loaded })).toBe(true);
    expect(hasMore({ isCounted: false, slots: 1, loaded })).toBe(true);
  });
});

describe('remaining life', () => {
  it('is measured by the duration of the index, if it has one', () => {
    expect(remainingLife(row('a', { deadlineAt: 10_000 }), 10, 5_000)).toBe(0.5);
    expect(remainingLife(row('a', { deadlineAt: 10_000, updatedAt: 0 }), undefined, 7_500)).toBe(0.25);
    expect(remainingLife(row('a', { deadlineAt: 10_000 }), 0, 20_000)).toBe(0);
  });
});
