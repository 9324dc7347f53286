import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Throttle } from '../../../../../renderer/features/documents/list/throttle.ts';

describe('the throttle', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('runs at most once per interval, and once more after the last request', () => {
    let runs = 0;
    const throttle = new Throttle(() => runs++, 500);
    vi.advanceTimersByTime(1_000);
    throttle.request();
    vi.advanceTimersByTime(1);
    for (let i = 0; i < 10; i++) throttle.request();
    expect(runs).toBe(1);
    vi.advanceTimersByTime(500);
    expect(runs).toBe(2);
    vi.advanceTimersByTime(5_000);
    expect(runs).toBe(2);
  });
});
