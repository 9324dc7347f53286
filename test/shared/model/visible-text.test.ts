import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { nameProblem } from '../../../shared/model/names.ts';
import { visibleJson, visibleText } from '../../../shared/model/visible-text.ts';

const CONTROL_CHARACTERS = [
  '\u001b[31m',
  '\n',
  '\r',
  '\u009b2J',
  '\u0000',
  '\u007f',
  '\u2028',
  '\u202e',
  '\u2066',
  '\t',
];
const anyText = fc
  .array(fc.oneof(fc.constantFrom(...CONTROL_CHARACTERS), fc.string({ unit: 'binary' })), { maxLength: 6 })
  .map(parts => parts.join(''));

describe('[C1] stored text that is shown', () => {
  it('shows control characters that a terminal would interpret', () => {
    expect(visibleText('a\u001b[31mred\nroot:x\r\t\u009b\u202e')).toBe(
      'a\\x1b[31mred\\nroot:x\\r\\t\\x9b\\u202e',
    );
    expect(visibleText('Straße 東京 🙂 “x”')).toBe('Straße 東京 🙂 “x”');
  });

  it('contains nothing that a terminal interprets, for any input', () => {
    fc.assert(
      fc.property(anyText, text => {
        expect(visibleText(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u);
        const json = JSON.stringify({ text });
        expect(visibleJson(json)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u);
        expect(JSON.parse(visibleJson(json))).toEqual({ text });
      }),
    );
  });

  it('is one line of the log, also for a stack: no text can add a line', () => {
    fc.assert(
      fc.property(anyText, anyText, (name, error) => {
        const lines: string[] = [];
        const stack = `Error: ${error}\n    at x.ts:1:1`;
        createLogger(
          'info',
          () => 0,
          line => lines.push(line),
        ).info(`began ${name}`, { name, error, stack });
        const said = lines.join('');
        expect(said.match(/^1970/gm)).toHaveLength(1);
        expect(said.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u);
        for (const line of said.trimEnd().split('\n').slice(1)) expect(line).toMatch(/^ {4}/);
      }),
    );
  });

  it('cannot be a name of a collection, an index or a token', () => {
    for (const part of CONTROL_CHARACTERS) expect(nameProblem(`a${part}b`)).toMatch(/control characters/);
  });
});
