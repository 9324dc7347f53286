import { describe, expect, it } from 'vitest';
import { LeaderTime } from '../../../../electron/engine/replication/leader-time.ts';

describe('the leader’s time', () => {
  it('[V5] never moves back within one revision, whichever times are reported', () => {
    const time = new LeaderTime();
    time.moveTo(1_000, 5);
    time.moveTo(900, 5);
    expect(time.now).toBe(1_000);
    time.moveTo(1_200, 5);
    expect(time.now).toBe(1_200);
  });

  it('[V5, R10] moves back with the leader’s clock at a later revision; a late older answer is ignored', () => {
    const time = new LeaderTime();
    time.moveTo(5_000, 5);
    time.moveTo(2_000, 6);
    expect(time.now).toBe(2_000);
    time.moveTo(6_000, 5);
    expect(time.now).toBe(2_000);
  });
});
