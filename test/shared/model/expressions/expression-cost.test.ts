import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileDeadlineExpression } from '../../../../shared/model/expressions/deadline-expression.ts';
import { compileFilter } from '../../../../shared/model/expressions/document-filter.ts';
import { compileReplacement } from '../../../../shared/model/expressions/replacement.ts';
import type { JsonObject } from '../../../../shared/model/json/json.ts';

const TOO_COSTLY = 'too many items or characters';
/** Time limit, ms: much longer than an evaluation takes, much shorter than without the limit of steps. */
const SOON_MS = 3_000;

const long = (text: string, times = 1_000_000) => text.repeat(times);
const list = <Item>(length: number, item: Item) => Array.from({ length }, () => item);
/** A list of lists that each hold the same list twice: short to write, and 2^depth values to walk through. */
const doubled = (depth: number) => `[doc.a]${'.map(x, [x, x])'.repeat(depth)}[0]`;

/** `ms` is this thread's own time: other programs take time as well. */
function timed<Result>(work: () => Result): { result: Result; ms: number } {
  const before = process.threadCpuUsage();
  const result = work();
  const { user, system } = process.threadCpuUsage(before);
  return { result, ms: (user + system) / 1_000 };
}

const problem = (expression: string, document: unknown) =>
  compileDeadlineExpression(expression).problem(document, 0);

describe('a function is charged in advance for the values that it reads and creates', () => {
  const nested = list(3_000, list(3_000, 'aaaaaaaaaa'));
  it.each<[what: string, expression: string, document: unknown, says: string]>([
    ['join of lists in a list', 'size(doc.a.join(","))', { a: nested }, 'string cannot be made of a list'],
    [
      'join with a list between the items',
      'size(doc.b.join(doc.a))',
      { a: nested, b: list(1_000, 'a') },
      'join takes a string, not a list',
    ],
    [
      'substring with a list as its start',
      'size("abc".substring(doc.a))',
      { a: nested },
      'substring takes numbers, not a list',
    ],
    ['an element named by a list', 'doc.b[doc.a]', { a: nested, b: {} }, 'no field “a list”'],
    ['duration of a long text', 'updatedAt + duration(doc.a)', { a: long('1h') }, TOO_COSTLY],
    ['double of a long text', 'double(doc.a)', { a: long('1', 3_000_000) }, TOO_COSTLY],
    [
      'a search that V8 repeats at every position',
      'doc.a.indexOf(doc.b)',
      { a: long('a'), b: `b${long('a', 20_000)}` },
      'out of range',
    ],
    [
      'a search from the end that V8 repeats at every position',
      'doc.a.lastIndexOf(doc.b)',
      { a: long('a'), b: `${long('a', 20_000)}b` },
      'out of range',
    ],
    [
      'temporary text',
      'size(doc.a.map(x, doc.b.upperAscii()))',
      { a: list(1_000, 1), b: long('a') },
      TOO_COSTLY,
    ],
    [
      'a text that replace enlarges',
      'size(doc.a.replace("a", doc.b))',
      { a: long('a', 10_000), b: long('b', 10_000) },
      TOO_COSTLY,
    ],
    [
      'formats in documents',
      'doc.a.exists(x, timestamp("2005", x) == updatedAt) ? 1 : 2',
      { a: list(2_000, 'yyyy.MM.dd') },
      TOO_COSTLY,
    ],
    ['pieces of a text', 'size(doc.a.split("a"))', { a: long('a', 3_000_000) }, TOO_COSTLY],
    [
      'equality of lists that contain one list many times',
      `${doubled(40)} == ${doubled(40)} ? 1 : 2`,
      { a: ['b'] },
      TOO_COSTLY,
    ],
    ['an error for each item', 'doc.a.exists(x, x.b == 1) ? 1 : 2', { a: list(200_000, {}) }, TOO_COSTLY],
    [
      'patterns in documents',
      'doc.a.exists(x, "b".matches(x)) ? 1 : 2',
      { a: list(2_000, '(a){1000}') },
      TOO_COSTLY,
    ],
  ])('[D8] %s fails quickly', (_, expression, document, says) => {
    const { result, ms } = timed(() => problem(expression, document));
    expect(result).toContain(says);
    expect(ms).toBeLessThan(SOON_MS);
  });

  it('[D8] a pattern is refused if it is too large with its repetitions written out', () => {
    const pattern = `(${'a'.repeat(1_000)}){1000}`;
    const { result, ms } = timed(() => {
      try {
        return compileFilter(`doc.a.matches("${pattern}")`);
      } catch (error) {
        return error;
      }
    });
    expect(result).toMatchObject({ code: 'INVALID_FILTER', data: { line: 1, column: 15 } });
    expect(ms).toBeLessThan(500);
    expect(() =>
      compileFilter(`doc.a.matches("(?i)^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")`),
    ).not.toThrow();
  });

  it.each<[what: string, expression: string, document: JsonObject]>([
    ['that contains one part many times', `{"b": ${doubled(40)}}`, { a: [1] }],
    [
      'that contains a long text many times',
      '{"b": doc.list.map(x, doc.a)}',
      { a: long('a'), list: list(10_000, 1) },
    ],
    ['without a long path', 'without(doc, doc.a)', { a: list(5_000, long('a.', 20_000)) }],
  ])('[A3] a replacement %s fails quickly', (_, expression, document) => {
    const { result, ms } = timed(() => compileReplacement(expression).apply(document, 0));
    expect(result).toEqual({ problem: expect.stringContaining(TOO_COSTLY) });
    expect(ms).toBeLessThan(SOON_MS);
  });

  it('[A3] a document of 16 MiB can be replaced', () => {
    const document = { items: list(200_000, { id: 12345678, text: 'some words of a sentence', at: 1.5 }) };
    expect(JSON.stringify(document).length).toBeGreaterThan(11 * 1024 * 1024);
    expect(compileReplacement('merge(doc, {"state": "old"})').apply(document, 0)).toMatchObject({
      document: { state: 'old' },
    });
  });
});

describe('the price of a regular expression', () => {
  const patterns = fc.stringMatching(/^(a|b|\(a\)|[ab]\*|\[ab\]|a\{[1-9]\}|\\w|\||\.\+|\^|\$){1,8}$/);
  const texts = fc.stringMatching(/^[abc]{0,40}$/);

  it('[D8] is the same for a new and a cached pattern, also if an evaluation just exceeds its allowance', () => {
    fc.assert(
      fc.property(patterns, texts, fc.integer({ min: 1, max: 2_000 }), (pattern, a, items) => {
        const evaluate = () => {
          // Patterns from documents and from the expression itself, compiled again for each evaluation.
          const dynamic = compileDeadlineExpression('size(doc.list.filter(x, x.matches(doc.pattern)))');
          const document = { pattern, list: list(items, a) };
          return () => [dynamic.read(document, 0), dynamic.problem(document, 0)];
        };
        const cold = evaluate()();
        const again = evaluate();
        const warm = again();
        // Other evaluations in between may have evicted the pattern from a cache.
        for (let i = 0; i < 17; i++) problem('doc.a.matches(doc.b) ? 1 : 2', { a: 'a', b: `a${i}` });
        expect(warm).toEqual(cold);
        expect(again()).toEqual(cold);
      }),
      { numRuns: 30 },
    );
  });
});
