import { expect, it } from 'vitest';
import { type DocumentAction, type DocumentOperation, documentModel } from '../checker/document-model.ts';
import { type Call, linearize } from '../checker/linearizable.ts';
import { HostTime, type Moment } from './host-time.ts';

const WALL = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const after = (ms: number): Moment => ({ at: ms, wall: WALL + ms });
const MOVING = { offsetMs: 0, standsAt: null, isHeld: false };

/** The time of a host that begins such eras, each at once after so many ms. */
function hostTime(
  eras: readonly [at: number, era: Partial<typeof MOVING> | { standsAt: number }][],
): HostTime {
  const time = new HostTime(after(0));
  for (const [at, era] of eras) time.begin({ ...MOVING, ...era }, after(at))(after(at));
  return time;
}

it('[R10] gives the bounds of the time of a call by the eras that it was in', () => {
  const time = hostTime([
    [100, { offsetMs: HOUR }],
    [200, { standsAt: WALL + 7 }],
    [300, {}],
  ]);
  expect(time.during(after(10), after(20))).toEqual({
    from: WALL + 10,
    to: WALL + 20,
    actedTo: WALL + 20,
    eras: { first: 0, last: 0 },
  });
  expect(time.during(after(90), after(110))).toMatchObject({
    from: WALL + 90,
    to: WALL + 110 + HOUR,
    eras: { first: 0, last: 1 },
  });
  expect(time.during(after(220), after(230))).toMatchObject({ from: WALL + 7, to: WALL + 7 });
  expect(time.during(after(150), after(310))).toMatchObject({
    from: WALL + 7,
    to: WALL + 200 + HOUR,
    eras: { first: 1, last: 3 },
  });
  expect([0, 1, 2].map(era => time.peak(era))).toEqual([WALL + 100, WALL + 200 + HOUR, WALL + 7]);
});

it('[R10] continues while the store is held, in which the reaper does not act', () => {
  const time = hostTime([
    [100, { isHeld: true }],
    [200, {}],
  ]);
  expect(time.during(after(150), after(160)).actedTo).toBe(Number.NEGATIVE_INFINITY);
  expect(time.during(after(90), after(160)).actedTo).toBe(WALL + 100);
  expect(time.peak(1)).toBe(Number.NEGATIVE_INFINITY);
});

it('knows both eras as possible until the later one has begun', () => {
  const time = new HostTime(after(0));
  const begun = time.begin({ ...MOVING, offsetMs: HOUR }, after(100));
  expect(time.during(after(150), after(160))).toMatchObject({ from: WALL + 150, to: WALL + 160 + HOUR });
  begun(after(200));
  expect(time.during(after(150), after(160))).toMatchObject({ from: WALL + 150, to: WALL + 160 + HOUR });
  expect(time.during(after(210), after(220)).from).toBe(WALL + 210 + HOUR);
});

/** The verdict on calls of one document, each for 1 ms, of a host with that time. */
function verdict(time: HostTime, ...calls: readonly [at: number, action: DocumentAction][]): string {
  const made = calls.map(
    ([at, action]): Call<DocumentOperation> => ({
      calledAt: at,
      returnedAt: at + 1,
      operation: { action, ...time.during(after(at), after(at + 1)) },
    }),
  );
  return linearize(
    documentModel(era => time.peak(era)),
    made,
  ).is;
}

const put = (field: number): DocumentAction => ({
  is: 'write',
  value: 1,
  field,
  answer: 'inserted',
  isInsert: false,
});
const read = (isHidden: boolean | null, deadlineAt = 0, includesExpired = false): DocumentAction => ({
  is: 'read',
  includesExpired,
  seen: isHidden === null ? null : { value: 1, deadlineAt, isHidden },
});

it('[V1, R10] accepts a hidden document that is shown again, or was removed, after the clock went back, and refuses it within an era', () => {
  const time = hostTime([
    [100, { offsetMs: HOUR }],
    [200, {}],
  ]);
  const deadline = WALL + HOUR / 2;
  const hidden: [number, DocumentAction] = [120, read(null)];
  const shown = read(false, deadline);
  expect(verdict(time, [10, put(deadline)], hidden, [220, shown])).toBe('linearizable');
  expect(verdict(time, [10, put(deadline)], hidden, [220, read(null, 0, true)])).toBe('linearizable');
  expect(verdict(time, [10, put(deadline)], hidden, [220, read(true, deadline, true)])).toBe(
    'not linearizable',
  );
  expect(verdict(time, [10, put(deadline)], [50, read(null)])).toBe('not linearizable');
  expect(verdict(time, [10, put(deadline)], [120, shown])).toBe('not linearizable');
  // It was written when the clock had gone back, and the deadline has not come since.
  expect(verdict(time, [210, put(deadline)], [220, read(null)])).toBe('not linearizable');
});

it('[R10] refuses a document that is removed while the store is held, or comes back', () => {
  const held = hostTime([[100, { isHeld: true }]]);
  const deadline = WALL + 150;
  expect(verdict(held, [10, put(deadline)], [200, read(null)])).toBe('linearizable');
  expect(verdict(held, [10, put(deadline)], [200, read(true, deadline, true)])).toBe('linearizable');
  expect(verdict(held, [10, put(deadline)], [200, read(null, 0, true)])).toBe('not linearizable');
  const ended = hostTime([
    [100, { isHeld: true }],
    [300, {}],
  ]);
  expect(verdict(ended, [10, put(deadline)], [310, read(null, 0, true)])).toBe('linearizable');
  expect(
    verdict(ended, [10, put(deadline)], [310, read(null, 0, true)], [320, read(true, deadline, true)]),
  ).toBe('not linearizable');
});

it('[D10] judges to the millisecond while the clock stands still', () => {
  const time = hostTime([[100, { standsAt: WALL + 100 }]]);
  expect(verdict(time, [10, put(WALL + 101)], [900, read(false, WALL + 101)])).toBe('linearizable');
  expect(verdict(time, [10, put(WALL + 101)], [900, read(null)])).toBe('not linearizable');
  expect(verdict(time, [10, put(WALL + 100)], [900, read(false, WALL + 100)])).toBe('not linearizable');
  expect(verdict(time, [10, put(WALL + 100)], [900, read(null)])).toBe('linearizable');
});
