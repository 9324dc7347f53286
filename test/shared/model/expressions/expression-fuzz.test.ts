import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowanceLeft, REPLACEMENT_ALLOWANCE } from '../../../../shared/model/cel/cost.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import { compileReplacement, type Replacement } from '../../../../shared/model/expressions/replacement.ts';
import type { JsonObject } from '../../../../shared/model/json/json.ts';

/** Number of expressions; more with `npm run test:all`. */
const RUNS = Number(process.env.EXPRESSION_RUNS ?? 300);

/** Largest ratio of an evaluation's time to the time of its steps in a plain loop, measured at the same moment. */
const MOST_TIMES_SLOWER = 12;
/** Time that is not charged to an evaluation, ms: an exception or a garbage collection. */
const FLOOR_MS = 4;
/** A slow evaluation is measured again, since other programs may have delayed it. */
const TRIES = 6;

const FIELDS = [
  'a',
  'b',
  'c',
  'text',
  'long',
  'list',
  'lists',
  'items',
  'map',
  'number',
  'big',
  'at',
  'path',
];

/** CEL expressions over documents with those fields; most of them have a value. */
const expressions = fc.letrec<Record<'any', string>>(tie => {
  const any = tie('any');
  const field = fc.constantFrom(...FIELDS.map(name => `doc.${name}`));
  const small = fc.constantFrom(
    '"a"',
    '""',
    '"1h"',
    '"2026-01-01"',
    '"yyyy-MM-dd"',
    '"Europe/Berlin"',
    '0',
    '1',
    '7',
    '2.5',
    'null',
    'true',
    'x',
  );
  const of = (template: string, holes: number) =>
    fc.tuple(...Array.from({ length: holes }, () => any)).map(parts => {
      let i = 0;
      return template.replaceAll('_', () => parts[i++] ?? '');
    });
  const operators = ['+', '-', '*', '/', '%', '==', '!=', '<', '>=', 'in', '&&', '||'];
  return {
    any: fc.oneof(
      { maxDepth: 6, depthSize: 'large' },
      { arbitrary: fc.oneof(field, small), weight: 3 },
      {
        arbitrary: fc
          .tuple(any, fc.constantFrom(...operators), any)
          .map(([a, op, b]) => `(dyn(${a}) ${op} dyn(${b}))`),
        weight: 4,
      },
      {
        arbitrary: fc
          .constantFrom('map', 'filter', 'exists', 'all', 'exists_one')
          .chain(name => of(`dyn(_).${name}(x, _)`, 2)),
        weight: 4,
      },
      {
        arbitrary: fc
          .constantFrom(
            ...['string', 'int', 'double', 'bool', 'timestamp', 'timestampMs', 'duration', 'size'].map(
              f => `${f}(_)`,
            ),
            ...['isDateString(_)', 'min(_, _)', 'max(_, _)', 'merge(_, _)', 'without(_, _)'],
            ...['lowerAscii', 'upperAscii', 'trim', 'size', 'join', 'getHours'].map(f => `_.${f}()`),
            ...['startsWith', 'endsWith', 'contains', 'indexOf', 'lastIndexOf', 'matches'].map(
              f => `_.${f}(_)`,
            ),
            ...['split', 'join', 'substring'].map(f => `_.${f}(_)`),
            ...['timestamp(_, _)', 'timestamp(_, _, _)', '_.replace(_, _)'],
            ...[
              '_.substring(_, _)',
              '_[_]',
              '[_]',
              '[_, _, _]',
              '{"k": _}',
              '{"k": _, "l": _}',
              '(_ ? _ : _)',
            ],
          )
          .chain(template => of(template.replaceAll('_', 'dyn(_)'), template.split('_').length - 1)),
        weight: 10,
      },
    ),
  };
}).any;

function documentOf(seed: string, size: number): JsonObject {
  return {
    a: 'a',
    b: seed,
    c: `b${'a'.repeat(300)}`,
    text: seed.repeat(size),
    long: seed.repeat(20 * size),
    list: Array.from({ length: size }, (_, i) => (i % 2 === 0 ? i : seed)),
    lists: Array.from({ length: size / 10 }, () => Array.from({ length: 30 }, () => seed)),
    items: Array.from({ length: size / 2 }, (_, i) => ({ a: i, text: seed.repeat(20) })),
    map: Object.fromEntries(Array.from({ length: size }, (_, i) => [`k${i}`, i])),
    number: 1234.5,
    big: 2n ** 1_000n,
    at: '2026-01-01T00:00:00Z',
    path: 'map.k1.a',
  };
}
const documents = fc.constantFrom(
  ...['a', '1h', 'a.', 'é漢'].flatMap(seed => [10, 900, 20_000].map(size => documentOf(seed, size))),
);

/** Returns null if the text is not an expression. */
function compiled(text: string): Replacement | null {
  try {
    return compileReplacement(`{"value": [doc.text].map(x, ${text})}`);
  } catch (error) {
    if (error instanceof SandglassError) return null;
    throw error;
  }
}

interface Evaluated {
  /** CPU time of this thread: other programs take time as well. */
  ms: number;
  steps: number;
  bytes: number;
}

function evaluate(replacement: Replacement, document: JsonObject): Evaluated {
  const before = process.threadCpuUsage();
  replacement.apply(document, 0);
  const { user, system } = process.threadCpuUsage(before);
  const ms = (user + system) / 1_000;
  const left = allowanceLeft();
  return {
    ms,
    steps: REPLACEMENT_ALLOWANCE.steps - left.steps,
    bytes: REPLACEMENT_ALLOWANCE.bytes - left.bytes,
  };
}

/** Milliseconds that a step takes in a loop that does little else. */
function msOfAStep(): number {
  const loop = compiled('size(doc.list.filter(x, x > 0.5))');
  if (loop === null) throw new Error('the loop has a mistake');
  const document = { text: '', list: Array.from({ length: 300_000 }, () => 1) };
  const runs = Array.from({ length: 3 }, () => evaluate(loop, document)).slice(1);
  return Math.min(...runs.map(({ ms, steps }) => ms / steps));
}

describe('any expression over any document', () => {
  it('[D8] stays within its allowance, and takes no longer than its steps permit', () => {
    let evaluated = 0;
    fc.assert(
      fc.property(expressions, documents, (text, document) => {
        const replacement = compiled(text);
        if (replacement === null) return;
        evaluated += 1;
        const first = evaluate(replacement, document);
        let { ms } = first;
        const most = () =>
          FLOOR_MS + MOST_TIMES_SLOWER * Math.min(first.steps, REPLACEMENT_ALLOWANCE.steps) * msOfAStep();
        for (let i = 1; i < TRIES && ms > FLOOR_MS && ms > most(); i++) {
          const again = evaluate(replacement, document);
          // The price is a function of expression and document.
          expect([again.steps, again.bytes]).toEqual([first.steps, first.bytes]);
          ms = Math.min(ms, again.ms);
        }
        const bound = ms > FLOOR_MS ? most() : Number.POSITIVE_INFINITY;
        expect(ms, `${text}\n${first.steps} steps, ${first.bytes} bytes`).toBeLessThan(bound);
      }),
      { numRuns: RUNS },
    );
    expect(evaluated).toBeGreaterThan(RUNS / 5);
  }, 600_000);
});
