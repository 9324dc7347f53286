import { array, assert, constantFrom, json, nat, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ArrayPart,
  ELEMENT_TOO_LONG,
  JsonArrayCutter,
} from '../../../../shared/model/json/array-cutter.ts';

/** All elements of the parts that a text is cut into, fed in pieces of these lengths. */
function cut(text: string, lengths: readonly number[], longest = 1_000_000): unknown[] {
  const cutter = new JsonArrayCutter(longest);
  const parts: ArrayPart[] = [];
  let at = 0;
  for (let i = 0; at < text.length; i++) {
    const length = lengths.length === 0 ? text.length : 1 + (lengths[i % lengths.length] ?? 0);
    parts.push(...cutter.push(text.slice(at, at + length)));
    at += length;
  }
  cutter.end();
  return parts.flatMap(part => (part === ELEMENT_TOO_LONG ? [part] : (JSON.parse(part) as unknown[])));
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : 'refused';
  } catch {
    return 'refused';
  }
}

function cutOrRefused(text: string, lengths: readonly number[]): unknown {
  try {
    return cut(text, lengths);
  } catch {
    return 'refused';
  }
}

describe('a JSON array cut into parts', () => {
  it('holds the same elements, wherever its text is cut', () => {
    assert(
      property(
        array(json()),
        array(nat(40), { maxLength: 5 }),
        constantFrom('', ' ', '\n'),
        (values, lengths, space) => {
          const text = `${space}[${space}${values.join(`${space},${space}`)}${space}]${space}`;
          expect(cut(text, lengths)).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it('is accepted exactly if JSON.parse accepts it', () => {
    const token = constantFrom('[', ']', '{', '}', ',', '1', '"a"', '"', ':', ' ', '\\', 'true', '"[,"');
    assert(
      property(array(token, { maxLength: 12 }), array(nat(3), { maxLength: 3 }), (tokens, lengths) => {
        for (const text of [tokens.join(''), `[${tokens.join('')}]`])
          expect(cutOrRefused(text, lengths)).toEqual(parsed(text));
      }),
      { numRuns: 3_000 },
    );
    assert(
      property(string(), text => {
        expect(cutOrRefused(text, [])).toEqual(parsed(text));
      }),
    );
  });

  it('of many elements comes in several parts', () => {
    const values = Array.from({ length: 3_000 }, (_, n) => n);
    expect(new JsonArrayCutter(10).push(JSON.stringify(values)).length).toBeGreaterThan(5);
    expect(cut(JSON.stringify(values), [])).toEqual(values);
  });

  it('has a mark in place of each element that is too long, wherever its text is cut', () => {
    const element = constantFrom<unknown>(1, 'a', '[,]"}', { a: ['x'.repeat(30)] }, 'y'.repeat(60), [[]]);
    assert(
      property(array(element, { maxLength: 8 }), array(nat(20), { maxLength: 4 }), (values, lengths) => {
        const marked = values.map(value => (JSON.stringify(value).length > 25 ? ELEMENT_TOO_LONG : value));
        expect(cut(JSON.stringify(values), lengths, 25)).toEqual(marked);
      }),
    );
  });

  it('buffers nothing of an element that is too long, and refuses invalid JSON after it', () => {
    const cutter = new JsonArrayCutter(1_000);
    expect(cutter.push('[1,"')).toEqual([]);
    const parts = Array.from({ length: 100 }, () => cutter.push('x'.repeat(100))).flat();
    expect(parts).toEqual(['[1]']);
    expect(cutter.push('",2]')).toEqual([ELEMENT_TOO_LONG, '[2]']);
    cutter.end();
    const long = `"${'x'.repeat(1_000)}"`;
    for (const text of [`[${long}`, `[${long},]`, `[,${long}]`, `[1,,${long}]`, `[${long}]]`, `[${long}}`])
      expect(() => cut(text, [], 100), text.slice(-5)).toThrow(SyntaxError);
  });

  it('that is nested too deep is refused before its end', () => {
    expect(() => new JsonArrayCutter(1_000).push('['.repeat(501))).toThrow('deeper');
  });
});
