import { describe, expect, it } from 'vitest';
import {
  formatLogPosition,
  nextLogPosition,
  parseLogPosition,
} from '../../../../shared/model/change-log/log-position.ts';
import {
  type Beginning,
  type LogPage,
  positionAfter,
  pullEvents,
} from '../../../../shared/model/change-log/pulled-events.ts';

describe('[V3] a position in the change log', () => {
  it.each([
    ['7', { revision: 7, position: 0 }],
    ['7.12', { revision: 7, position: 12 }],
    ['1234567890123456.1234567890', { revision: 1_234_567_890_123_456, position: 1_234_567_890 }],
    ['12345678901234567', null],
    ['7.12345678901', null],
    ['', null],
    ['7.', null],
    ['.7', null],
    ['x7', null],
    ['7x', null],
    ['-7', null],
  ])('is read from “%s” as %j', (text, position) => {
    expect(parseLogPosition(text)).toEqual(position);
  });

  it('is written as an id, and followed by the next of its revision', () => {
    expect(formatLogPosition(nextLogPosition({ revision: 7, position: 12 }))).toBe('7.13');
  });

  it('is after the event that was received last, if there was one', () => {
    expect(['7.12', '7', 'other', '', undefined].map(positionAfter)).toEqual([
      '7.13',
      '7.1',
      'other',
      null,
      null,
    ]);
  });
});

/** Reads three pages of two events each, then waits for more; keeps the arguments of each call. */
function pages() {
  const calls: [from: unknown, waitMs: number][] = [];
  const read = async (from: unknown, waitMs: number): Promise<LogPage<string>> => {
    calls.push([from, waitMs]);
    const page = calls.length;
    if (page > 3) throw new Error('the store was closed');
    const events = [0, 1].map(position => ({
      id: `${page}.${position}`,
      event: `event ${page}.${position}`,
    }));
    return { events, next: `${page + 1}.0` };
  };
  return { calls, read };
}

describe('[V3] pulled events', () => {
  it.each<[Beginning, unknown]>([
    [{}, undefined],
    [{ from: '5' }, '5'],
    [{ from: '5', lastEventId: '' }, '5'],
    [{ from: '5', lastEventId: '7.1' }, '7.2'],
    [{ lastEventId: 'other' }, 'other'],
  ])('of %j begin at %s, without waiting', async (beginning, from) => {
    const { calls, read } = pages();
    await pullEvents(read, beginning);
    expect(calls).toEqual([[from, 0]]);
  });

  it('are read page by page, each after the last event of the one before was taken', async () => {
    const { calls, read } = pages();
    const events = await pullEvents(read, { from: '1' });
    const ids: string[] = [];
    const rest = async () => {
      for await (const { id } of events) ids.push(`${id} ${calls.length}`);
    };
    await expect(rest()).rejects.toThrow('the store was closed');
    expect(ids).toEqual(['1.0 1', '1.1 1', '2.0 2', '2.1 2', '3.0 3', '3.1 3']);
    expect(calls.slice(1)).toEqual([
      ['2.0', 25_000],
      ['3.0', 25_000],
      ['4.0', 25_000],
    ]);
  });

  it('end with the page during which they are aborted', async () => {
    const { calls, read } = pages();
    const signal = { aborted: false };
    const ids: string[] = [];
    for await (const { id } of await pullEvents(read, {}, signal)) {
      ids.push(id);
      signal.aborted ||= id === '2.0';
    }
    expect(ids).toEqual(['1.0', '1.1', '2.0', '2.1']);
    expect(calls).toHaveLength(3);
  });

  it('that are refused are rejected before the first event', async () => {
    await expect(pullEvents(async () => Promise.reject(new Error('refused')), {})).rejects.toThrow('refused');
  });

  it('are none if they were aborted before', async () => {
    const { calls, read } = pages();
    for await (const event of await pullEvents(read, {}, { aborted: true })) expect(event).toBeNull();
    expect(calls).toHaveLength(1);
  });
});
