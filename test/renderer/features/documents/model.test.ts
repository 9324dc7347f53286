import { describe, expect, it } from 'vitest';
import { fromInputText, toInputText } from '../../../../renderer/components/time/datetime-input.ts';
import {
  formatFilter,
  hasMore,
  matchingFilter,
} from '../../../../renderer/features/documents/bulk/matching-filter.ts';
import { remainingLife } from '../../../../renderer/features/documents/expiration/remaining-life.ts';
import {
  DEFAULT_QUERY,
  formatDocumentsQuery,
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

describe('the address of the documents screen', () => {
  it('is empty where everything is as usual, and reads back as it was written', () => {
    expect(formatDocumentsQuery(DEFAULT_QUERY)).toBe('');
    const query = {
      ...DEFAULT_QUERY,
      state: 'soon' as const,
      filter: 'a&b',
      dueFrom: 5,
      dueTo: 10,
      order: 'desc' as const,
    };
    expect(parseDocumentsQuery(formatDocumentsQuery(query))).toEqual(query);
  });
  it('ignores what it does not understand', () => {
    expect(parseDocumentsQuery('state=purple&dueFrom=soon&sort=size')).toEqual(DEFAULT_QUERY);
  });
  it('asks the engine only for what narrows', () => {
    expect(listInput({ ...DEFAULT_QUERY, filter: '  ' }, 100)).toEqual({ sort: 'deadline', order: 'asc' });
    expect(listInput({ ...DEFAULT_QUERY, dueTo: 500 }, 100)).toMatchObject({ dueTo: 500 });
    expect(isFiltered(DEFAULT_QUERY)).toBe(false);
    expect(isFiltered({ ...DEFAULT_QUERY, dueTo: 5 })).toBe(true);
  });
});

describe('the overdue documents', () => {
  it('are all past their deadline, whatever they wait for', () => {
    const query = { ...DEFAULT_QUERY, state: 'overdue' as const };
    const asked = { sort: 'deadline', order: 'asc', includeExpired: true, dueTo: 101 };
    expect(listInput(query, 100)).toEqual(asked);
    expect(listInput({ ...query, dueTo: 50 }, 100)).toEqual({ ...asked, dueTo: 50 });
  });
  it('are what an address with the paused ones means', () => {
    expect(parseDocumentsQuery('state=paused').state).toBe('overdue');
  });
});

describe('columns', () => {
  const rows = [
    row('a', { document: { _id: 'a', tenant: 'acme', n: 1, meta: { ip: '1.2.3.4', deep: { x: 1 } } } }),
    row('b', { document: { _id: 'b', tenant: 'acme', n: 9007199254740993n } }),
  ];
  it('come from the data, objects one level deep', () => {
    const titles = columnsOf(rows).map(({ title }) => title);
    expect(titles.slice(0, 5)).toEqual(['_id', 'State', 'Deadline', 'From', 'Last write']);
    expect(titles.slice(5)).toEqual(['tenant', 'n', 'meta.ip', 'meta.deep']);
  });
  it('are numeric where every value is, big integers too', () => {
    expect(columnsOf(rows).find(({ title }) => title === 'n')?.isNumeric).toBe(true);
  });
  it('read their value, and none where there is none', () => {
    expect(fieldValue({ meta: { ip: 'x' } }, ['meta', 'ip'])).toBe('x');
    expect(fieldValue({ meta: 3 }, ['meta', 'ip'])).toBeUndefined();
  });
  it('show big integers unrounded, and long text cut to one line', () => {
    expect(formatCell(9007199254740993n)).toBe('9007199254740993');
    expect(formatCell('a\n  b')).toBe('a b');
    expect(formatCell('x'.repeat(500)).length).toBe(201);
  });
  it('are cut off where they may not fit, and always where letters may be wide', () => {
    expect(certainlyFits('session 0000001', 150)).toBe(true);
    expect(certainlyFits('x'.repeat(120), 260)).toBe(false);
    expect(certainlyFits('時刻', 150)).toBe(false);
  });
});

describe('staged edits', () => {
  const a = row('a', { deadlineAt: 2_000 });
  const b = row('b');
  it('remember the document as it first was, and group what does the same', () => {
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
  it('say who lives longer', () => {
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
  it('an expiration that is refused fails for its documents, is not offered again, and holds up no other', async () => {
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
  it('takes a job that ended early for an error, and what it was about for unwritten', async () => {
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
  it('leaves the rest unwritten when the engine goes away', async () => {
    const gone = new Error('gone');
    const result = await run(async ({ ids }) => {
      if (ids.length < CHUNK) throw gone;
      return done;
    });
    expect(result).toMatchObject({ left: 20, error: gone });
    expect(result.succeeded).toHaveLength(CHUNK);
  });
});

describe('[E3] a change of all that match', () => {
  const query = {
    ...DEFAULT_QUERY,
    sort: 'deadline',
    state: 'soon',
    filter: ' kite ',
    includeExpired: true,
  } as const;
  it('is named by what the list was narrowed to, not by how it is shown', () => {
    expect(matchingFilter(query, 1_000)).toEqual({ state: 'soon', filter: 'kite' });
    expect(matchingFilter(DEFAULT_QUERY, 1_000)).toEqual({});
    expect(matchingFilter({ ...DEFAULT_QUERY, state: 'overdue' }, 1_000)).toEqual({ dueTo: 1_001 });
  });
  it('says in words what it narrows to', () => {
    expect(formatFilter(query, 1_000, 'utc')).toBe('state Soon, containing “kite”');
    expect(formatFilter(DEFAULT_QUERY, 1_000, 'utc')).toBeNull();
    expect(formatFilter({ ...DEFAULT_QUERY, index: 'ts_1d', reason: 'not a date' }, 0, 'utc')).toBe(
      'never by ts_1d, not a date',
    );
  });
  it('is offered where the list holds more than the window', () => {
    const loaded = () => [row('a')];
    expect(hasMore({ isCounted: true, slots: 1, loaded })).toBe(false);
    expect(hasMore({ isCounted: true, slots: 2, loaded })).toBe(true);
    expect(hasMore({ isCounted: false, slots: 1, loaded })).toBe(true);
  });
});

describe('life left', () => {
  it('is measured by the index where it says how long a life is', () => {
    expect(remainingLife(row('a', { deadlineAt: 10_000 }), 10, 5_000)).toBe(0.5);
    expect(remainingLife(row('a', { deadlineAt: 10_000, updatedAt: 0 }), undefined, 7_500)).toBe(0.25);
    expect(remainingLife(row('a', { deadlineAt: 10_000 }), 0, 20_000)).toBe(0);
  });
});

describe('a moment typed into a form', () => {
  it('is read in the zone that is shown', () => {
    const at = Date.UTC(2026, 10, 21, 14, 32, 38);
    expect(toInputText(at, 'utc')).toBe('2026-11-21T14:32:38');
    expect(fromInputText('2026-11-21T14:32', 'utc')).toBe(Date.UTC(2026, 10, 21, 14, 32));
    expect(fromInputText(toInputText(at, 'local'), 'local')).toBe(at);
    expect(fromInputText('', 'utc')).toBeNull();
  });
});
