import { describe, expect, it } from 'vitest';
import {
  formatSpan,
  readBucket,
  readOverdue,
  spoken,
} from '../../../../../renderer/features/timeline/model/bucket-readout.ts';
import { prepareSlots, slotAt } from '../../../../../renderer/features/timeline/model/buckets.ts';
import { tableRows } from '../../../../../renderer/features/timeline/model/table-rows.ts';
import { answerWith, bucket, DAY, MINUTE, NOW, SECOND } from '../build.ts';

const base = NOW - (NOW % MINUTE);
const series = [
  { id: 'idle', label: 'idle_2h', pausedSince: null, overdue: 2 },
  { id: 'hand', label: 'set by hand', pausedSince: null, overdue: 0 },
];
const answer = answerWith({
  series,
  overdue: 2,
  oldestOverdueAt: NOW - SECOND,
  actionDueAt: NOW - SECOND,
  buckets: [
    bucket(base - MINUTE, [12, 3], [0, 0]),
    bucket(base, [60, 0], [40, 5], [2, 0]),
    bucket(base + 3 * MINUTE, [0, 0], [4, 184]),
  ],
  cliffs: [{ at: base + 3 * MINUTE, count: 184, series: 1, cause: 'signed out: tenant acme' }],
});
const visible = [true, true];
const slots = prepareSlots(answer, visible);
const read = (fromAt: number) => readBucket(slotAt(slots, fromAt, 2), answer, NOW, 'utc');

describe('the text of a bucket', () => {
  it('has the relative and the absolute span, each series, total and cliff', () => {
    expect(read(base + 3 * MINUTE)).toEqual({
      relative: 'in 2 m 22 s',
      span: '14:35 – 14:36 UTC',
      note: 'Sat 21 Nov, will expire',
      counts: [
        { position: 1, label: 'set by hand', count: 184 },
        { position: 0, label: 'idle_2h', count: 4 },
      ],
      total: 188,
      split: null,
      cliff: '184 of these at 14:35:00, signed out: tenant acme',
    });
  });

  it('states what expired in the past, and at now what expired, is overdue and will expire', () => {
    expect(read(base - MINUTE)).toMatchObject({
      relative: '38 s ago',
      note: 'Sat 21 Nov, expired',
      total: 15,
    });
    expect(read(base)).toMatchObject({ relative: 'now', split: '60 expired, 2 overdue, 43 will expire' });
  });

  it('is now for the bucket that begins at this instant, and past for the one that ends at it', () => {
    const at = (fromAt: number) => readBucket(slotAt(slots, fromAt, 2), answer, base, 'utc');
    expect(at(base)).toMatchObject({ relative: 'now', note: 'Sat 21 Nov, due around now' });
    expect(at(base - MINUTE)).toMatchObject({ relative: 'just now', note: 'Sat 21 Nov, expired' });
    expect(at(base + MINUTE)).toMatchObject({ relative: 'in 1 m', note: 'Sat 21 Nov, will expire' });
  });

  it('describes an empty bucket', () => {
    expect(read(base + 30 * MINUTE)).toMatchObject({ total: 0, counts: [] });
  });

  it('is one sentence for screen readers', () => {
    expect(spoken(read(base + 3 * MINUTE))).toBe(
      'in 2 m 22 s, 14:35 – 14:36 UTC: 188 will expire. set by hand 184, idle_2h 4. cliff, 184 of these at 14:35:00, signed out: tenant acme.',
    );
  });

  it('formats spans with the precision of the bucket length', () => {
    const span = (length: number) => formatSpan({ fromAt: base, toAt: base + length }, 'utc');
    expect([250, SECOND, MINUTE, DAY].map(span)).toEqual([
      '14:32:00.000 – 14:32:00.250',
      '14:32:00 – 14:32:01',
      '14:32 – 14:33',
      'Sat 21 Nov – Sun 22 Nov',
    ]);
    expect(formatSpan({ fromAt: Date.UTC(2026, 10, 21), toAt: Date.UTC(2026, 10, 22) }, 'utc')).toBe(
      'Sat 21 Nov',
    );
  });

  it('lists the overdue stack by series', () => {
    expect(readOverdue(answer, visible, NOW, 'utc')).toMatchObject({
      relative: 'oldest 1 s',
      counts: [{ label: 'idle_2h', count: 2 }],
      total: 2,
    });
  });
});

describe('the table', () => {
  const rows = tableRows(slots, visible.length, NOW, 'utc', 2, 3);

  it('has a row for every bucket around now, also empty ones', () => {
    expect(rows.map(row => [row.relative, row.starts, row.expired, row.due])).toEqual([
      ['−2 m', '14:30', 0, null],
      ['−1 m', '14:31', 15, null],
      ['now', '14:32', 60, 43],
      ['+1 m', '14:33', null, 0],
      ['+2 m', '14:34', null, 0],
      ['+3 m', '14:35', null, 188],
    ]);
  });

  it('counts overdue documents in their own row, not in the row of now', () => {
    const due = rows.reduce((total, row) => total + (row.due ?? 0), 0);
    expect(due + answer.overdue).toBe(45 + 188);
  });
});
