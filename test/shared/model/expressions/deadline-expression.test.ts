import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDateString } from '../../../../shared/model/dates/date-string.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import { compileDeadlineExpression } from '../../../../shared/model/expressions/deadline-expression.ts';
import { parseJson } from '../../../../shared/model/json/json.ts';
import { NEVER_REASONS } from '../../../../shared/model/reference-time.ts';

const UPDATED_AT = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

function read(expression: string, document: unknown = {}) {
  return compileDeadlineExpression(expression).read(document, UPDATED_AT);
}

function problem(expression: string, document: unknown = {}): string | null {
  return compileDeadlineExpression(expression).problem(document, UPDATED_AT);
}

function mistake(expression: string): { line: unknown; column: unknown; message: string } {
  try {
    compileDeadlineExpression(expression);
  } catch (error) {
    if (!(error instanceof SandglassError)) throw error;
    expect(error.code).toBe('INVALID_TTL_INDEX');
    expect(error.data.expression).toBe(expression);
    return { line: error.data.line, column: error.data.column, message: error.message };
  }
  throw new Error(`${expression} has no mistake`);
}

describe('common expressions', () => {
  it('[D8] doc.should_delete ? timestamp(doc.expiration) : null', () => {
    const expression = 'doc.should_delete ? timestamp(doc.expiration) : null';
    expect(read(expression, { should_delete: true, expiration: '2026-02-02' })).toEqual({
      at: Date.UTC(2026, 1, 2),
    });
    expect(read(expression, { should_delete: false })).toEqual({ reason: 'expression gave null' });
    expect(problem(expression, { should_delete: false })).toBeNull();
  });

  it('[D8] timestamp(doc.createdAt) + duration("10m")', () => {
    const expression = 'timestamp(doc.createdAt) + duration("10m")';
    expect(read(expression, { createdAt: '2026-02-02T10:00:00' })).toEqual({
      at: Date.UTC(2026, 1, 2, 10, 10),
    });
    expect(read(expression, { createdAt: 1_700_000_000 })).toEqual({ at: 1_700_000_600_000 });
  });

  it('[D8] updatedAt + duration(doc.plan == "free" ? "24h" : "720h")', () => {
    const expression = 'updatedAt + duration(doc.plan == "free" ? "24h" : "720h")';
    expect(read(expression, { plan: 'free' })).toEqual({ at: UPDATED_AT + 24 * HOUR });
    expect(read(expression, { plan: 'team' })).toEqual({ at: UPDATED_AT + 720 * HOUR });
    expect(read(expression, { plan: 3 })).toEqual({ at: UPDATED_AT + 720 * HOUR });
  });

  it('[D8] doc.ttl + 1, a number of seconds [D4], with any kind of number in the document', () => {
    for (const ttl of [1_700_000_000, 1_700_000_000n]) {
      expect(read('doc.ttl + 1', { ttl })).toEqual({ at: 1_700_000_001_000 });
    }
    expect(read('doc.ttl + 1', { ttl: 1_700_000_000.25 })).toEqual({ at: 1_700_000_001_250 });
    expect(read('doc.ttl + 1', { ttl: 1_700_000_000_000 })).toEqual({ reason: 'wrong unit suspected' });
    expect(read('doc.ttl + 1', parseJson('{"ttl":9007199254740993000}'))).toEqual({
      reason: 'wrong unit suspected',
    });
  });
});

describe('values', () => {
  it('[D8] that are date strings, whole numbers or timestamps give a deadline, and no others', () => {
    expect(read('doc.d', { d: '2026-02-02' })).toEqual({ at: Date.UTC(2026, 1, 2) });
    expect(read('17')).toEqual({ at: 17_000 });
    expect(read('updatedAt')).toEqual({ at: UPDATED_AT });
    expect(read('doc.d', { d: 'soon' })).toEqual({ reason: 'not a date' });
    for (const d of [true, [], {}, ['2026-02-02']])
      expect(read('doc.d', { d })).toEqual({ reason: 'wrong type' });
    expect(read('updatedAt - timestamp(5)')).toEqual({ reason: 'wrong type' });
    expect(problem('doc.d', { d: [] })).toBe('The expression gives a list: wrong type.');
  });

  it('[D5] that are not finite are distinguished from those out of range', () => {
    expect(read('doc.a / doc.b', { a: 1, b: 0 })).toEqual({ reason: 'not finite' });
    expect(read('timestamp("9999-12-31") + duration("1d")')).toEqual({ reason: 'out of range' });
    expect(read('timestamp("1970-01-01") - duration("1ms")')).toEqual({ reason: 'out of range' });
    expect(read('updatedAt + duration("1h") * doc.n', { n: Number.POSITIVE_INFINITY })).toEqual({
      reason: 'not finite',
    });
  });

  it('[D8] of int, double and bigint mix in every operator', () => {
    const numbers = ['2', '2.0', 'doc.two', 'doc.big'];
    const document = { two: 2, big: 2n };
    for (const a of numbers) {
      for (const b of numbers) {
        for (const [operator, value] of [
          ['+', 4],
          ['-', 0],
          ['*', 4],
          ['/', 1],
          ['%', 0],
        ]) {
          expect(read(`${a} ${operator} ${b}`, document), `${a} ${operator} ${b}`).toEqual({
            at: Number(value) * 1000,
          });
        }
        expect(read(`${a} == ${b} && ${a} <= ${b} && ${a} >= ${b} ? 1 : 0`, document)).toEqual({ at: 1000 });
        expect(read(`${a} != ${b} || ${a} < ${b} || ${a} > ${b} ? 1 : 0`, document)).toEqual({ at: 0 });
        expect(read(`${a} in [${b}] && [${a}] == [${b}] ? 1 : 0`, document)).toEqual({ at: 1000 });
      }
    }
    expect(read('7 / 2')).toEqual({ at: 3_000 });
    expect(read('1 / 0')).toEqual({ reason: 'expression error' });
  });

  it('[D8] mix with null in ==, != and ? :', () => {
    const all = [
      'null',
      '1',
      '1.5',
      '"a"',
      'true',
      'updatedAt',
      'duration("1s")',
      '[1]',
      '{"a": 1}',
      'doc.x',
    ];
    for (const value of all) {
      const isNull = value === 'null';
      expect(read(`${value} == null ? 1 : null`, { x: 0 })).toEqual(
        isNull ? { at: 1000 } : { reason: 'expression gave null' },
      );
      expect(read(`null != ${value} ? 1 : null`, { x: 0 })).toEqual(
        isNull ? { reason: 'expression gave null' } : { at: 1000 },
      );
    }
    expect(read('doc.x == null ? updatedAt : null', { x: null })).toEqual({ at: UPDATED_AT });
  });

  it('[D8] of several kinds may be in one list or map of a document', () => {
    const document = { tags: [1, 'gone', null], items: [{ open: false }, { open: true, at: 5 }] };
    expect(read('"gone" in doc.tags && null in doc.tags ? updatedAt : null', document)).toEqual({
      at: UPDATED_AT,
    });
    expect(read('doc.items.exists(item, item.open) ? doc.items[1].at : null', document)).toEqual({
      at: 5_000,
    });
    expect(read('size(doc.items.filter(item, item.open).map(item, item.at))', document)).toEqual({
      at: 1_000,
    });
    expect(
      read('doc.items.all(item, has(item.open)) && doc.tags.exists_one(t, t == "gone") ? 1 : 0', document),
    ).toEqual({
      at: 1_000,
    });
  });
});

describe('the function', () => {
  it('[D3] timestamp(string) reads the same texts as a date field, and no others', () => {
    const timestamp = compileDeadlineExpression('timestamp(doc.d)');
    const dates = fc.oneof(
      fc.string(),
      fc
        .date({ min: new Date(0), max: new Date(Date.UTC(9999, 0)), noInvalidDate: true })
        .map(date => date.toISOString()),
    );
    fc.assert(
      fc.property(dates, d => {
        const at = parseDateString(d);
        expect(timestamp.read({ d }, 0)).toEqual(at === null ? { reason: 'not a date' } : { at });
      }),
    );
    expect(read('timestamp(doc.d)', { d: 'Tue, 02 Feb 2026 10:00:00 GMT' })).toEqual({
      reason: 'not a date',
    });
  });

  it('[D4] timestamp(number) takes seconds, timestampMs milliseconds, and each reports values that look like the other', () => {
    expect(read('timestamp(doc.t)', { t: 1_700_000_000 })).toEqual({ at: 1_700_000_000_000 });
    expect(read('timestampMs(doc.t)', { t: 1_700_000_000_000n })).toEqual({ at: 1_700_000_000_000 });
    expect(read('timestamp(doc.t)', { t: 1_700_000_000_000 })).toEqual({ reason: 'wrong unit suspected' });
    expect(read('timestampMs(doc.t)', { t: 1_700_000_000 })).toEqual({ reason: 'wrong unit suspected' });
    expect(problem('timestamp(doc.t)', { t: 1_700_000_000_000 })).toContain('looks like milliseconds');
  });

  it.each([
    ['90s', 90_000],
    ['1h30m', 90 * 60_000],
    ['1.5h', 90 * 60_000],
    ['250ms', 250],
    ['30d', 30 * 24 * HOUR],
    ['2w', 14 * 24 * HOUR],
    ['0', 0],
  ])('[D8] duration("%s") gives milliseconds', (text, ms) => {
    expect(read(`updatedAt + duration("${text}")`)).toEqual({ at: UPDATED_AT + ms });
    expect(read(`duration("-${text}") + updatedAt`)).toEqual({ at: UPDATED_AT - ms });
  });

  it('[D8] duration takes seconds or a factor from the document', () => {
    expect(read('updatedAt + duration(doc.ttl)', { ttl: 30 })).toEqual({ at: UPDATED_AT + 30_000 });
    expect(read('updatedAt + duration("1d") * doc.days', { days: 2.5 })).toEqual({
      at: UPDATED_AT + 60 * HOUR,
    });
    expect(read('updatedAt + duration(doc.ttl)', { ttl: 'long' })).toEqual({ reason: 'expression error' });
  });

  it('[D8] isDateString, max, min or has is supported', () => {
    const either = 'isDateString(doc.d) ? timestamp(doc.d) : null';
    expect(read(either, { d: '2026-02-02' })).toEqual({ at: Date.UTC(2026, 1, 2) });
    expect(read(either, { d: '2026-02-30' })).toEqual({ reason: 'expression gave null' });
    expect(read('max(updatedAt, timestamp(5))')).toEqual({ at: UPDATED_AT });
    expect(read('min(updatedAt, timestamp(5))')).toEqual({ at: 5_000 });
    expect(read('max(doc.a, 3)', { a: 2.5 })).toEqual({ at: 3_000 });
    expect(read('updatedAt + min(duration("1h"), duration("2h"))')).toEqual({ at: UPDATED_AT + HOUR });
    for (const document of [{}, { x: 1 }, { x: null }, null]) {
      expect(read('has(doc.x.y) ? 1 : 2', document)).toEqual({ at: 2_000 });
    }
    expect(read('has(doc.x.y) ? 1 : 2', { x: { y: null } })).toEqual({ at: 1_000 });
  });

  it('[D3, D8] timestamp reads a format, in a zone, literal or from the document', () => {
    const at = { at: Date.UTC(2005, 5, 3) };
    expect(read('timestamp(doc.d, "yyyy.MM.dd")', { d: '2005.06.03' })).toEqual(at);
    expect(read('timestamp(doc.d, doc.f)', { d: '03/06/2005', f: 'dd/MM/yyyy' })).toEqual(at);
    expect(
      read('timestamp(doc.d, "yyyy.MM.dd HH", doc.z)', { d: '2005.06.03 02', z: 'Europe/Berlin' }),
    ).toEqual(at);
    expect(read('timestamp("2005.06.03", "yyyy.MM.dd")')).toEqual(at);
    expect(read('timestamp(doc.d, "yyyy.MM.dd")', { d: '2005-06-03' })).toEqual({ reason: 'not a date' });
    expect(read('timestamp(doc.d, "yyyy.MM.dd")', { d: 20050603 })).toEqual({ reason: 'wrong type' });
    expect(read('timestamp(doc.d, doc.f)', { d: '2005', f: 'YYYY' })).toEqual({ reason: 'expression error' });
    expect(problem('timestamp(doc.d, "yyyy", doc.z)', { d: '2005', z: 'UTC' })).toContain('needs a year');
    expect(mistake('timestamp(doc.d, "YYYY-MM-dd")').message).toContain('write yyyy');
    expect(mistake('timestamp(doc.d, "yyyy-MM-dd", "Mars")').message).toContain('is not a time zone');
  });

  it('[D8] replace replaces every occurrence', () => {
    expect(read('timestamp(doc.d.replace(" ", "T"))', { d: '2005-06-03 00:00:00' })).toEqual({
      at: Date.UTC(2005, 5, 3),
    });
    expect(read('timestamp(doc.d.replace("x", "-"))', { d: '2005x06x03' })).toEqual({
      at: Date.UTC(2005, 5, 3),
    });
    expect(read('size("abc".replace("", "--"))')).toEqual({ at: 11_000 });
    expect(read('size("".replace("", "-"))')).toEqual({ at: 1_000 });
    expect(read('size(doc.a.replace("a", "b"))', { a: 1 })).toEqual({ reason: 'expression error' });
  });

  it('[D8] for a part of a date uses UTC', () => {
    expect(read('timestamp("2026-03-01T23:30:00").getDayOfYear()')).toEqual({ at: 59_000 });
    expect(read('timestamp("2026-03-01T23:30:00Z").getHours()')).toEqual({ at: 23_000 });
  });
});

describe('mistakes', () => {
  it.each([
    ['now + duration("1h")', 1, 'a deadline never moves by itself'],
    ['updatedAt > timestamp(5) ? updatedAt : now', 40, 'a deadline never moves by itself'],
    ['updatedAt +', 12, 'the expression ends here'],
    ['(updatedAt', 11, '“)” is expected'],
    ['updatedAt updatedAt', 11, 'found “updatedAt”'],
    ['doc.plan = "x" ? 1 : 2', 10, 'write “==”'],
    ['updatedAt - "a"', 11, '“-” has no meaning between a timestamp and a string'],
    ['updatedAt + 600', 11, 'duration("10m")'],
    ['timestmap(doc.x)', 1, 'There is no function “timestmap”'],
    ['updatedAt + doc.x.foo()', 19, 'There is no method “foo”'],
    ['duration(doc.plan == free ? "24h" : "720h")', 22, '“free” is not known'],
    ['updatedAt + duration("24 hours")', 22, '“24 hours” is not a duration'],
    ['timestamp("2019-02-30")', 11, '“2019-02-30” is not a date'],
    ['doc.a > 1', 1, 'This gives a bool'],
    ['updatedAt + "unclosed', 13, 'no closing quote'],
    ['1 ? 2 : 3', 1, 'A condition is expected'],
    ['   ', 1, 'An expression is needed'],
    ['has(doc)', 5, 'has takes a field'],
    ['5u + 1u > 3u ? 1 : 2', 1, 'unsigned'],
    ['type(doc.x) == int ? 1 : 2', 1, 'not available'],
    ['cel', 1, 'not a value'],
  ])('[D8] %s is refused with its column', (expression, column, says) => {
    const found = mistake(expression);
    expect(found.message).toContain(says);
    expect(found).toMatchObject({ line: 1, column });
  });

  it('[D8] are reported for an expression that is too long or too deep', () => {
    for (const expression of [`1${'+1'.repeat(5_000)}`, '('.repeat(500), `doc${'.a'.repeat(500)}`]) {
      expect(mistake(expression).message).toContain('too long or too deep');
    }
  });

  it('[D8] are reported with their line', () => {
    expect(mistake('doc.a\n  ? timestamp(doc.b)\n  : nul')).toMatchObject({ line: 3, column: 5 });
  });

  it('[D8] have a position in the text, for any text that does not compile', () => {
    const piece = fc.constantFrom(
      ...[
        'doc',
        '.a',
        '["a"]',
        'updatedAt',
        '+',
        '-',
        '==',
        '?',
        ':',
        '(',
        ')',
        'null',
        '1',
        '2.5',
        '"a"',
        ' ',
      ],
      ...[
        'timestamp(',
        'duration(',
        'has(',
        '.map(',
        'x',
        ',',
        '[',
        ']',
        '{',
        '}',
        '&&',
        'in',
        '\n',
        '!',
        '`',
        'é',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), pieces => {
        const expression = pieces.join('');
        try {
          compileDeadlineExpression(expression).read({ a: 1 }, 0);
        } catch (error) {
          expect(error).toBeInstanceOf(SandglassError);
          if (!(error instanceof SandglassError)) return;
          const lines = expression.split('\n');
          const line = lines[Number(error.data.line) - 1];
          expect(line).toBeDefined();
          expect(error.data.column).toBeGreaterThanOrEqual(1);
          expect(error.data.column).toBeLessThanOrEqual((line?.length ?? 0) + 1);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('an expression over a document', () => {
  it('[X1] fails with the name of a missing field', () => {
    expect(read('timestamp(doc.meta.expires)', { meta: {} })).toEqual({ reason: 'expression error' });
    expect(problem('timestamp(doc.meta.expires)', { meta: {} })).toBe(
      'doc.meta.expires: there is no field “expires”.',
    );
    expect(problem('timestamp(doc.meta.expires)', { meta: 'a' })).toBe(
      'doc.meta.expires: a string has no field “expires”.',
    );
    expect(problem('timestamp(doc.tags[2])', { tags: [] })).toContain('doc.tags[2]');
  });

  it('[D8] needs only the operand that decides && or ||', () => {
    expect(read('doc.gone || true ? 1 : 2')).toEqual({ at: 1_000 });
    expect(read('doc.gone && false ? 1 : 2')).toEqual({ at: 2_000 });
    expect(read('doc.gone && true ? 1 : 2')).toEqual({ reason: 'expression error' });
  });

  it('[D5] reads names with a meaning in JavaScript as ordinary fields', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', 'prototype']) {
      for (const expression of [`doc.${name}`, `doc["${name}"]`, `doc.x.${name}`, `doc.l.${name}`]) {
        expect(read(expression, { x: {}, l: [] }), expression).toEqual({ reason: 'expression error' });
      }
      expect(read(`"${name}" in doc || has(doc.${name}) ? 1 : 2`)).toEqual({ at: 2_000 });
      expect(read(`doc["${name}"]`, JSON.parse(`{"${name}": "2026-02-02"}`))).toEqual({
        at: Date.UTC(2026, 1, 2),
      });
    }
    expect(read('doc.at', { constructor: null, at: 5 })).toEqual({ at: 5_000 });
  });

  const EXPRESSIONS = [
    'doc.should_delete ? timestamp(doc.expiration) : null',
    'timestamp(doc.a) + duration("10m")',
    'updatedAt + duration(doc.a == "free" ? "24h" : doc.b)',
    'doc.a + 1',
    'doc.a + doc.b * -doc.a % doc.b',
    'max(doc.a, doc.b)',
    'doc.a == doc.b || doc.a in doc.b || doc.a < doc.b ? timestampMs(doc.a) : doc[doc.a]',
    'doc.a.map(x, doc.b.exists(y, x == y)).size()',
    'doc.a.startsWith(doc.b) || doc.a.matches(doc.b) ? int(doc.a) : double(doc.b)',
    'doc.a.substring(doc.a.indexOf(doc.b), doc.b)',
    'timestamp(string(doc.a)).getHours() + size(doc)',
  ].map(compileDeadlineExpression);

  it('[D5] never throws, gives a deadline in range or a reason, and does not change the document', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.bigInt(),
      fc.double(),
      fc.constantFrom('free', '2026-02-02', '10m', '(', 1_700_000_000),
    );
    const document = fc.oneof(fc.jsonValue(), fc.record({ a: value, b: value }, { requiredKeys: [] }));
    const isReason = (reason: string) => NEVER_REASONS.some(known => known === reason);
    fc.assert(
      fc.property(document, input => {
        const before = structuredClone(input);
        for (const expression of EXPRESSIONS) {
          const outcome = expression.read(input, UPDATED_AT);
          if ('at' in outcome) {
            expect(Number.isSafeInteger(outcome.at) && outcome.at >= 0).toBe(true);
            expect(expression.problem(input, UPDATED_AT)).toBeNull();
          } else {
            expect(isReason(outcome.reason)).toBe(true);
            expect(expression.problem(input, UPDATED_AT) === null).toBe(
              outcome.reason === 'expression gave null',
            );
          }
        }
        expect(input).toEqual(before);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('an expression that would take long', () => {
  /** Time limit, ms: much longer than the counted steps take, much shorter than without a limit of steps. */
  const SOON_MS = 3_000;
  const twenty = `[${Array.from({ length: 20 }, (_, i) => i).join(', ')}]`;
  const nested = (depth: number) =>
    Array.from({ length: depth }).reduce<string>((inner, _, i) => `${twenty}.map(v${i}, ${inner})`, '1');
  const doubled = (start: string) => `${start}${'.map(x, x + x)'.repeat(60)}.map(x, size(x))[0]`;
  const long = 'a'.repeat(3_000_000);
  const digits = '1'.repeat(3_000_000);

  const many = { text: long, list: Array.from({ length: 50_000 }, (_, i) => `${i}`) };
  for (const [what, expression, document] of [
    ['macros in macros', `size(${nested(10)})`, {}],
    ['a text that doubles', doubled('["aaaaaaaa"]'), {}],
    ['a list that doubles', doubled('[[1, 2]]'), {}],
    [
      'comparisons of long texts',
      'doc.list.filter(x, x == doc.text).size()',
      { text: long, list: Array.from({ length: 50 }, () => long) },
    ],
    ['a search in a long text, for each item', 'doc.list.filter(x, doc.text.contains("b")).size()', many],
    ['a membership of each in all', 'doc.list.filter(x, x in doc.list).size()', many],
    ['a long text against a large pattern', 'doc.text.matches("a[ab]{50}c|b[ab]{60}d") ? 1 : 2', many],
  ] as const) {
    it(`[D8, D5] with ${what} ends with the reason`, () => {
      const startedAt = performance.now();
      expect(read(expression, document)).toEqual({ reason: 'expression error' });
      expect(problem(expression, document)).toContain('too many items or characters');
      expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
    });
  }

  it('[D8] with an endlessly growing product ends', () => {
    const expression = `[7]${'.map(x, x * x)'.repeat(50)}[0]`;
    expect(problem(expression)).toContain('300 digits');
  });

  for (const [what, expression, text] of [
    [
      'a pattern that would be tried in every way',
      'doc.a.matches("^(a+)+$") ? 1 : 2',
      `${'a'.repeat(5_000)}!`,
    ],
    ['a number that is none', 'double(doc.a)', `${digits}!`],
    ['a duration that is none', 'updatedAt + duration(doc.a)', `${digits}!`],
    ['a duration of many parts', 'updatedAt + duration(doc.a)', `${'1h'.repeat(1_000_000)}!`],
  ] as const) {
    it(`[D8] with ${what} returns at once`, () => {
      const startedAt = performance.now();
      read(expression, { a: text });
      expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
    });
  }

  it('[D8] has its own steps for each evaluation', () => {
    const large = Array.from({ length: 100_000 }, () => 1);
    const { read: of } = compileDeadlineExpression('doc.list.filter(x, x > 0.5).size()');
    for (let i = 0; i < 10; i++) expect(of({ list: large }, UPDATED_AT)).toEqual({ at: 100_000_000 });
  });

  it('[D8] has RE2’s patterns, as in CEL: others are mistakes with their column', () => {
    expect(mistake('doc.a.matches("(?=b)a") ? 1 : 2')).toMatchObject({ line: 1, column: 15 });
    expect(read('doc.a.matches("^[a-z]+-\\\\d{4}$") ? 1 : 2', { a: 'session-2026' })).toEqual({ at: 1_000 });
    expect(read('doc.a.matches("b") ? 1 : 2', { a: 'abc' })).toEqual({ at: 1_000 });
  });
});
