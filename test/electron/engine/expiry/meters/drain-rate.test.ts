import { describe, expect, it } from 'vitest';
import { DrainRate } from '../../../../../electron/engine/expiry/meters/drain-rate.ts';

const full = { processed: 1_600, heldMs: 8, isDrained: false, maxDocuments: Number.MAX_SAFE_INTEGER };

describe('the rate of a drain [M1]', () => {
  it('is null until a batch uses its whole time', () => {
    const rate = new DrainRate();
    expect(rate.perSecond).toBeNull();
    rate.measure({ ...full, isDrained: true, processed: 1, heldMs: 1 });
    rate.measure({ ...full, processed: 0 });
    expect(rate.perSecond).toBeNull();
    rate.measure(full);
    expect(rate.perSecond).toBe(200_000);
  });

  it('ignores a batch that its limits ended, and one too short to be measured', () => {
    const rate = new DrainRate();
    rate.measure({ ...full, maxDocuments: full.processed });
    rate.measure({ ...full, heldMs: 0 });
    expect(rate.perSecond).toBeNull();
    rate.measure({ ...full, maxDocuments: full.processed + 1 });
    expect(rate.perSecond).toBe(200_000);
  });

  it('ignores a batch of one document that a limit admits, and a batch delayed by the disk', () => {
    const rate = new DrainRate();
    for (let i = 0; i < 5; i++) rate.measure(full);
    // 454,000 documents: 3 m 47 s at this rate, 2.3 s at the measured rate.
    rate.measure({ ...full, processed: 2, heldMs: 1, maxDocuments: 2 });
    expect(rate.perSecond).toBe(200_000);
    rate.measure({ ...full, processed: 64, heldMs: 900 });
    expect(rate.perSecond).toBe(200_000);
  });

  it('ignores a batch of a few documents that the machine delayed', () => {
    const rate = new DrainRate();
    for (let i = 0; i < 15; i++) rate.measure({ ...full, processed: 2, heldMs: 20 });
    expect(rate.perSecond).toBe(100);
    rate.measure(full);
    for (let i = 0; i < 15; i++) rate.measure({ ...full, processed: 9, heldMs: 90 });
    expect(rate.perSecond).toBe(200_000);
  });

  it('is the median, in whichever order the batches come', () => {
    const rate = new DrainRate();
    for (const processed of [1_600, 4_800, 3_200]) rate.measure({ ...full, processed });
    expect(rate.perSecond).toBe(400_000);
  });

  it('counts a batch of ten documents among the larger ones', () => {
    const rate = new DrainRate();
    rate.measure({ ...full, processed: 2, heldMs: 20 });
    rate.measure({ ...full, processed: 10, heldMs: 10 });
    expect(rate.perSecond).toBe(1_000);
  });

  it('follows a lasting change: it is the median of the last fifteen batches', () => {
    const rate = new DrainRate();
    for (let i = 0; i < 100; i++) rate.measure(full);
    for (let i = 0; i < 7; i++) rate.measure({ ...full, processed: 400 });
    expect(rate.perSecond).toBe(200_000);
    rate.measure({ ...full, processed: 400 });
    expect(rate.perSecond).toBe(50_000);
    for (let i = 0; i < 7; i++) rate.measure({ ...full, processed: 400 });
    for (let i = 0; i < 7; i++) rate.measure(full);
    expect(rate.perSecond).toBe(50_000);
    rate.measure(full);
    expect(rate.perSecond).toBe(200_000);
  });
});
