import { describe, expect, it } from 'vitest';
import { formatOutcome } from '../../../../../renderer/features/ttl-indexes/review/format-outcome.ts';
import { aReaper } from '../build.ts';

const EXACT = { name: 'old', collection: 'c', schedule: { mode: 'exact' } } as const;

describe('the message after an index was built or changed', () => {
  it('states that it is in effect', () => {
    expect(formatOutcome(EXACT, true, aReaper)).toEqual({
      title: 'old is built',
      detail: 'In effect for c from now on.',
    });
    expect(formatOutcome(EXACT, false, null).title).toBe('old is changed');
  });

  it('[R1] states that an observing index removes nothing, and the next step', () => {
    const { title, detail } = formatOutcome({ ...EXACT, schedule: { mode: 'observe' } }, true, aReaper);
    expect(title).toBe('old is built, and observes');
    expect(detail).toContain('removes none');
    expect(detail).toContain('change its schedule to Exact');
  });

  it('[R6] states the necessary next step while removal is stopped', () => {
    const paused = { by: 'ada', since: 1 };
    expect(formatOutcome(EXACT, true, { ...aReaper, paused }).detail).toBe(
      'Removes nothing from c before the store is resumed.',
    );
    const here = { ...aReaper, pausedCollections: [{ collection: 'c', ...paused }] };
    expect(formatOutcome(EXACT, true, here).detail).toContain('before it is resumed');
  });
});
