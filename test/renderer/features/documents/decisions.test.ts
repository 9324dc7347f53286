import { describe, expect, it } from 'vitest';
import { formatNeverReason } from '../../../../renderer/features/documents/expiration/format-never-reason.ts';
import { formatResult } from '../../../../renderer/features/documents/staging/ApplySummary.tsx';
import { bulkBody } from '../../../../renderer/features/documents/staging/bulk-call.ts';
import {
  CheckRound,
  formatRemoved,
  mayBeRemoved,
} from '../../../../renderer/features/documents/staging/find-removed.ts';
import { undoOfApplied } from '../../../../renderer/features/documents/staging/undo-applied.ts';
import { row } from './build.ts';

describe('documents checked for removal', () => {
  const rows = [
    row('a', { deadlineAt: 5 }),
    row('b', { deadlineAt: 50 }),
    row('c', { deadlineAt: 9 }),
    row('d'),
  ];
  it('are those past their deadline, the next ones first', () => {
    expect(mayBeRemoved(rows, 10, 0)).toEqual(['a', 'c']);
    expect(mayBeRemoved(rows, 10, 1)).toEqual(['c', 'a']);
    expect(mayBeRemoved([...rows, ...rows], 4, 3)).toEqual([]);
  });
  it('are counted in a sentence', () => {
    expect(formatRemoved(1_200)).toBe('1,200 of them expired or were deleted');
  });
  it('include the others after a change of their collection, each once, in parts', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const round = new CheckRound(2);
    const first = {};
    expect([round.next(ids, first), round.next(ids, first)]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    // A change in between starts a new round after the last checked document.
    const second = {};
    expect([1, 2, 3, 4].map(() => round.next(ids, second))).toEqual([['e', 'a'], ['b', 'c'], ['d'], []]);
    expect(round.next(ids, second)).toEqual([]);
    expect(round.next(['a'], {})).toEqual(['a']);
  });
});

describe('undo of applied edits', () => {
  const edit = { kind: 'never' } as const;
  const undone = (change: Parameters<typeof row>[1], hasIndexes = true) =>
    undoOfApplied([{ before: row('a', change), edit }], { writtenAt: 1_000, now: 2_000, hasIndexes });
  it('restores explicit expirations, and clears the others', () => {
    const byHand = { deadlineFrom: 'explicit' };
    expect(undone({ ...byHand, deadlineAt: 9_000 }).edits.get('a')?.edit).toEqual({ kind: 'at', at: 9_000 });
    expect(undone({ ...byHand, state: 'pinned' }).edits.get('a')?.edit).toEqual({ kind: 'never' });
    expect(undone({}).edits.get('a')?.edit).toEqual({ kind: 'clear' });
    expect(undone({ deadlineFrom: 'ttl', deadlineAt: 9_000 }).edits.get('a')).toMatchObject({
      before: { state: 'pinned', deadlineAt: null },
      edit: { kind: 'clear' },
    });
  });
  it('restores the deadline of an engine without TTL indexes, and does not clear it', () => {
    const former = undone({ deadlineFrom: 'ttl', deadlineAt: 9_000 }, false).edits.get('a')?.edit;
    expect(former).toEqual({ kind: 'at', at: 9_000 });
    expect(undone({}, false).edits.get('a')?.edit).toEqual({ kind: 'clear' });
  });
  it('does not restore a deadline that has passed', () => {
    expect(undone({ deadlineFrom: 'ttl', deadlineAt: 1_500 })).toEqual({ edits: new Map(), lost: 1 });
  });
});

describe('the reason why a document never expires', () => {
  const index = {
    source: { kind: 'field', field: 'at', unit: 'milliseconds', expireAfter: 0 },
    state: 'ready',
  } as const;
  it('is given by the values that its indexes read', () => {
    expect(formatNeverReason(row('a'), [index])).toBe('missing field');
    expect(formatNeverReason(row('a', { document: { at: 'soon' } }), [index, index])).toBe('not a date');
    expect(formatNeverReason(row('a'), [])).toBe('no TTL index');
    expect(formatNeverReason(row('a', { state: 'live' }), [index])).toBeNull();
  });
  it('[D2, D7, D8] covers every kind of source that the window can evaluate', () => {
    const own = { ...index.source, expireAfter: undefined, expireAfterField: 'ttl' };
    const inTime = { at: 1_800_000_000_000, ttl: -1 };
    const ready = 'ready' as const;
    expect(formatNeverReason(row('a', { document: inTime }), [{ source: own, state: ready }])).toBe(
      'not a duration',
    );
    const touched = { kind: 'lastModified', expireAfter: 5 } as const;
    expect(formatNeverReason(row('a'), [{ source: touched, state: 'unconfirmed' }])).toBe(
      'not confirmed yet',
    );
    expect(formatNeverReason(row('a'), [{ source: touched, state: 'observing' }])).toBe('observe mode');
    const expression = { kind: 'expression', expression: 'null' } as const;
    expect(formatNeverReason(row('a'), [{ source: expression, state: ready }])).toBe(
      'expression without a deadline',
    );
  });
});

describe('the equivalent call', () => {
  it('is valid, shortened or in full', () => {
    const ids = ['a', 'b', 'c'];
    expect(JSON.parse(bulkBody({ kind: 'never' }, ids))).toEqual({ ids, set: { never: true } });
    expect(JSON.parse(bulkBody({ kind: 'clear' }, ids, 2))).toEqual({ ids: ['a', 'b'], clear: true });
  });
});

describe('the result of applying', () => {
  const result = { succeeded: ['a'], failed: [], left: 0, elapsedMs: 5, error: null };
  it('separates removed documents from failures, and states no result for unanswered edits', () => {
    const gone = { _id: 'b', code: 'DOCUMENT_NOT_FOUND', message: 'gone' };
    const failed = { _id: 'c', code: 'INVALID_EXPIRATION', message: 'past' };
    expect(formatResult({ ...result, failed: [gone, failed] })).toBe(
      '1 set, 1 expired or deleted, 1 failed.',
    );
    expect(formatResult({ ...result, left: 2 })).toBe('1 set, 2 not written.');
    expect(formatResult({ ...result, left: 2, error: new Error('gone') })).toBe('1 set, 2 not confirmed.');
  });
});
