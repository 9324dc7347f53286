import { describe, expect, it } from 'vitest';
import { landedInWords } from '../../../../../renderer/features/ttl-indexes/review/format-outcome.ts';
import { aReaper } from '../build.ts';

const EXACT = { name: 'old', collection: 'c', schedule: { mode: 'exact' } } as const;

describe('what is said of an index that landed', () => {
  it('is that its collection follows it', () => {
    expect(landedInWords(EXACT, true, aReaper)).toEqual({
      title: 'old is built',
      detail: 'c follows it from now on.',
    });
    expect(landedInWords(EXACT, false, null).title).toBe('old is changed');
  });

  it('[R1] is, of one that observes, that nothing leaves and what to do next', () => {
    const { title, detail } = landedInWords({ ...EXACT, schedule: { mode: 'observe' } }, true, aReaper);
    expect(title).toBe('old is built, and observes');
    expect(detail).toContain('removes nothing');
    expect(detail).toContain('change its schedule to Exact');
  });

  it('[R6] is what has to happen first where the collection stands still', () => {
    const paused = { by: 'ada', since: 1 };
    expect(landedInWords(EXACT, true, { ...aReaper, paused }).detail).toBe(
      'Nothing leaves c by it before the store is resumed.',
    );
    const here = { ...aReaper, pausedCollections: [{ collection: 'c', ...paused }] };
    expect(landedInWords(EXACT, true, here).detail).toContain('before it is resumed');
  });
});
