import { describe, expect, it } from 'vitest';
import {
  offerFor,
  type ReaperStops,
  stoppedOf,
} from '../../../../renderer/components/status/removal-stopped.ts';

const since = 5;
const RUNS: ReaperStops = {
  paused: null,
  pausedCollections: [],
  holds: [],
};
const STORE_PAUSED = { ...RUNS, paused: { by: 'ada', since } };
const HERE_PAUSED = { ...RUNS, pausedCollections: [{ collection: 'c', by: 'ada', since }] };
const held = (collection: string | null) => ({ ...RUNS, holds: [{ collection }] });

const collection = { kind: 'collection', isPaused: false } as const;
const index = { kind: 'index', isPaused: false } as const;

describe('stoppedOf', () => {
  it('returns a pause before a hold, and the store’s before the collection’s', () => {
    expect(stoppedOf('c', RUNS)).toBeNull();
    expect(stoppedOf('c', null)).toBeNull();
    expect(stoppedOf('c', { ...HERE_PAUSED, holds: held('c').holds })).toMatchObject({
      is: 'paused',
      what: 'collection',
    });
    expect(stoppedOf('c', { ...HERE_PAUSED, ...STORE_PAUSED, pausedCollections: [] })).toMatchObject({
      what: 'store',
      by: 'ada',
      since,
    });
    expect(stoppedOf('c', held(null))).toEqual({ is: 'held', what: 'store' });
    expect(stoppedOf('c', held('other'))).toBeNull();
  });
});

describe('offerFor', () => {
  it('[R6] offers a pass and a pause while removal runs', () => {
    expect(offerFor('c', RUNS, collection)).toEqual({ run: true, pause: 'pause' });
    expect(offerFor('c', RUNS, index)).toEqual({ run: true, pause: 'pause' });
  });

  it('[R6] offers no second pause below a pause, but a pass', () => {
    expect(offerFor('c', STORE_PAUSED, collection)).toEqual({ run: true, pause: null });
    expect(offerFor('c', STORE_PAUSED, index)).toEqual({ run: true, pause: null });
    expect(offerFor('c', HERE_PAUSED, index)).toEqual({ run: true, pause: null });
    expect(offerFor('c', HERE_PAUSED, { ...collection, isPaused: true })).toEqual({
      run: true,
      pause: 'resume',
    });
    expect(offerFor('c', STORE_PAUSED, { ...index, isPaused: true }).pause).toBe('resume');
  });

  it('[R6, R8] offers no pass while held, also while paused', () => {
    expect(offerFor('c', held('c'), collection)).toEqual({ run: false, pause: 'pause' });
    expect(offerFor('c', held(null), index).run).toBe(false);
    expect(offerFor('c', { ...STORE_PAUSED, ...held('c'), paused: STORE_PAUSED.paused }, index).run).toBe(
      false,
    );
    expect(offerFor('c', held('other'), collection).run).toBe(true);
  });
});
