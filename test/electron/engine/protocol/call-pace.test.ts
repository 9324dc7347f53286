import { expect, it } from 'vitest';
import { CallPace } from '../../../../electron/engine/protocol/call-pace.ts';
import { NOON } from '../../../support/engine.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

it('[R5] calls are frequent for 50 ms after one was seen to have arrived', () => {
  const clock = createManualClock(NOON);
  let arrived = 3;
  const pace = new CallPace(clock, () => arrived);
  expect(pace.isBusy).toBe(false);
  arrived += 1;
  expect(pace.isBusy).toBe(true);
  clock.advance(49);
  expect(pace.isBusy).toBe(true);
  clock.advance(1);
  expect(pace.isBusy).toBe(false);
  arrived += 2;
  expect(pace.isBusy).toBe(true);
});
