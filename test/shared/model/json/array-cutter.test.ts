import { array, assert, constantFrom, json, nat, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonArrayCutter } from '../../../../shared/model/json/array-cutter.ts';

/** All elements of the parts that a text is cut into, fed in pieces of these lengths. */
function cut(text: string, lengths: readonly number[]): unknown[] {
  const cutter = new JsonArrayCutter(1_000_000);
  const parts: string[] = [];
  let at = 0;
  for (let i = 0; at < text.length; i++) {
    const length = lengths.length === 0 ? text.length : 1 + (lengths[i % lengths.length] ?? 0);
    parts.push(...cutter.push(text.slice(at, at + length)));
    at += length;
  }
  cutter.end();
  return parts.flatMap(part => JSON.parse(part) as unknown[]);
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

  it('is taken exactly where JSON.parse takes it', () => {
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

  it('with an element that is too long or lies too deep is refused before all of it is there', () => {
    const cutter = new JsonArrayCutter(1_000);
    expect(() => {
      for (let i = 0; i < 100; i++) cutter.push(i === 0 ? '["' : 'x'.repeat(100));
    }).toThrow('longer than 1000');
    expect(() => new JsonArrayCutter(1_000).push('['.repeat(501))).toThrow('deeper');
  });
});
