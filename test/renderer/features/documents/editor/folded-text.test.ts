import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FOLDED_FROM,
  fold,
  lineNumbers,
  markAt,
  unfold,
  unfoldMore,
} from '../../../../../renderer/features/documents/editor/folded-text.ts';

const large = JSON.stringify(
  {
    _id: 'a',
    items: Array.from({ length: 5_000 }, (_, i) => ({ id: i, tags: ['x', 'y'] })),
    text: 'x'.repeat(100_000),
    last: true,
  },
  null,
  2,
);

describe('a large document as text', () => {
  it('is shown in a few lines with all fields, and unfolds to the whole text', () => {
    const folded = fold(large);
    expect(folded.shown.length).toBeLessThan(FOLDED_FROM);
    expect(folded.shown).toContain('"last": true');
    expect(folded.shown).toMatch(/"text": "x+⟦a\d+: 99,\d{3} characters⟧x+"/);
    expect(folded.shown).toMatch(/^ +⟦a\d+: 34,967 lines⟧$/m);
    expect(unfold(folded)).toBe(large);
  });

  it('is edited around its folds, and a deleted fold deletes its text', () => {
    const folded = fold(large);
    const edited = { ...folded, shown: folded.shown.replace('"last": true', '"last": false') };
    expect(unfold(edited)).toBe(large.replace('"last": true', '"last": false'));
    const [mark] = [...folded.folds.keys()].filter(one => one.includes('characters'));
    const shorter = { ...folded, shown: folded.shown.replace(mark ?? '?', '') };
    expect(JSON.parse(unfold(shorter)).text.length).toBeLessThan(1_000);
  });

  it('has the line numbers of the whole text', () => {
    const folded = fold(large);
    const numbers = lineNumbers(folded);
    expect(numbers).toHaveLength(folded.shown.split('\n').length);
    expect(numbers.at(-1)).toBe(large.split('\n').length);
  });

  it('unfolds step by step at the cursor, until all is shown', () => {
    let folded = fold(large);
    expect(markAt(folded, 0)).toBeNull();
    for (let step = 0; folded.folds.size > 0 && step < 1_000; step++) {
      const mark = markAt(folded, folded.shown.indexOf('⟦'));
      if (mark === null) break;
      folded = unfoldMore(folded, mark);
      expect(unfold(folded) === large).toBe(true);
    }
    expect(folded.shown).toBe(large);
  });

  it('is unchanged if it is short, and if it contains text that looks like a fold mark', () => {
    expect(fold('{"a": "⟦a1: 5 lines⟧"}')).toEqual({ shown: '{"a": "⟦a1: 5 lines⟧"}', folds: new Map() });
    const tricky = large.replace('"_id": "a"', '"_id": "⟦a1: 34,967 lines⟧ ⟦aa2: x⟧"');
    expect(unfold(fold(tricky))).toBe(tricky);
  });

  it('unfolds to the original, JSON or not', () => {
    const line = fc.oneof(fc.string(), fc.constantFrom('    deep', '⟦a1: 2 lines⟧', '', '      x'));
    const text = fc.tuple(line, line, fc.nat(4_000), line).map(([a, b, times, c]) => {
      return `${a}\n${`${b}\n    "x": 1,\n`.repeat(times)}${c}${'z'.repeat(5_000)}`;
    });
    fc.assert(
      fc.property(text, given => unfold(fold(given)) === given),
      { numRuns: 40 },
    );
  });
});
