import { describe, expect, it } from 'vitest';
import { FileProblem } from '../../../../../renderer/features/import/file/file-problem.ts';
import { PIECE_CHARACTERS, pieces } from '../../../../../renderer/features/import/file/pieces.ts';

async function allOf(file: Blob): Promise<string[]> {
  const found: string[] = [];
  for await (const { text } of pieces(file)) found.push(text);
  return found;
}

describe('the pieces of a file', () => {
  it('are small, and joined they equal the file', async () => {
    const text = '{"note":"ünïcödé"}\n'.repeat(60_000);
    const found = await allOf(new Blob([text]));
    expect(found.length).toBeGreaterThan(3);
    expect(Math.max(...found.map(piece => piece.length))).toBeLessThanOrEqual(PIECE_CHARACTERS);
    expect(found.join('')).toBe(text);
  });

  it('never split a surrogate pair', async () => {
    // One code unit before the text, so that a cut would split the pair.
    const text = `a${'😀'.repeat(PIECE_CHARACTERS)}`;
    const found = await allOf(new Blob([text]));
    expect(found.every(piece => piece.isWellFormed())).toBe(true);
    expect(found.join('')).toBe(text);
  });

  it('end at a byte that is not UTF-8, with the number of its line', async () => {
    const file = new Blob(['{"a":1}\n{"a":2}\n', new Uint8Array([0xff, 0xff])]);
    await expect(allOf(file)).rejects.toThrow(FileProblem);
  });
});
