import { expect, it } from 'vitest';
import { randomToken } from '../../../../electron/engine/access/random-token.ts';

it('[P1] a token never begins with a dash, which the command line would take for an option', () => {
  // 0b111110 is “-” in base64url.
  const drawn = [Buffer.from([0b11111000, 1, 2]), Buffer.from([0b11111011, 3, 4]), Buffer.from([0, 5, 6])];
  expect(randomToken(() => drawn.shift() ?? Buffer.alloc(0))).toBe('AAUG');
  expect(randomToken()).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{42}$/);
});
