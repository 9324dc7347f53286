import { describe, expect, it } from 'vitest';
import { throttleOf } from '../../../../../../electron/engine/backends/postgresql/governed/reaper/pressure.ts';

const CALM = { replicaLagMs: null, oldestSnapshotMs: null, dead: 0, live: 1_000_000 };

describe('removal is throttled', () => {
  it('not where nothing is visible, or all is well', () => {
    expect(throttleOf(CALM)).toBeNull();
    expect(throttleOf({ ...CALM, replicaLagMs: 9_000, oldestSnapshotMs: 10_000, dead: 900_000 })).toBeNull();
  });

  it('until a replica that is more than 10 s behind has caught up', () => {
    expect(throttleOf({ ...CALM, replicaLagMs: 12_000 })).toEqual({
      share: 0,
      reason: 'A replica is 12 s behind; removal waits for it.',
    });
  });

  it('where an old transaction keeps many dead rows from being vacuumed', () => {
    const old = { ...CALM, oldestSnapshotMs: 600_000 };
    expect(throttleOf({ ...old, dead: 300_000 })).toMatchObject({ share: 0.25 });
    expect(throttleOf({ ...old, dead: 50_000 })).toBeNull();
    expect(throttleOf({ ...old, dead: 150_000 })).toBeNull();
  });
});
