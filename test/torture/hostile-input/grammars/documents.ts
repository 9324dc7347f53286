import { DEEPEST_NESTING } from '../../../../shared/model/json/json.ts';
import { LARGEST_DOCUMENT_BYTES, LONGEST_ID_BYTES } from '../../../../shared/model/names.ts';
import type { Random } from '../../../support/random.ts';
import { hostileText, mutated } from './text.ts';

const NUMBERS = [
  '0',
  '-0',
  '1e308',
  '1e309',
  '-1e999',
  '9007199254740993',
  '-9223372036854775809',
  '9'.repeat(400),
  '1e-400',
  '01',
  '.5',
  '1.',
  '+1',
  '0x1',
  'NaN',
  '-Infinity',
  '1_000',
  '1e',
];
const WORDS = ['null', 'true', 'false', 'undefined', 'nul', 'True'];
const IDS = ['""', 'null', '7', '{}', '[]', '"\\ud800"', '"\\u0000"', '"a"', '"__proto__"'];
const DATES = ['0', '1e12', '-1', '1e300', '"2030-02-30"', '"x"', '{"$date":"x"}', '""'];

/** JSON text of one document on one line, mostly invalid or at a limit. */
export function documentLine(random: Random): Buffer {
  const text = random.chance(0.5) ? documentText(random) : mutated(random, documentText(random));
  return Buffer.from(text.replaceAll(/[\r\n]/g, ' '), 'utf8');
}

/** Like `documentLine`, sometimes with bytes that are not UTF-8. */
export function documentBytes(random: Random): Buffer {
  const bytes = documentLine(random);
  if (random.chance(0.15) && bytes.length > 0) {
    // Not UTF-8: a byte that begins nothing, an overlong form, a surrogate, a cut sequence.
    const wrong = random.pick([[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf0, 0x9f], [0x80]]);
    const at = random.between(0, bytes.length - 1);
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(wrong), bytes.subarray(at)]);
  }
  return bytes;
}

/** A document of about the largest size, which is too large or just fits. */
export function largeDocument(random: Random): Buffer {
  const length = LARGEST_DOCUMENT_BYTES + random.pick([-30, -10, 0, 1, 1_000]);
  return Buffer.from(`{"_id":"large","x":"${'x'.repeat(length - 22)}"}`);
}

/** JSON text of one document, at one of the limits or with members of any kind. */
export function documentText(random: Random): string {
  switch (random.between(0, 6)) {
    case 0: {
      const levels = random.pick([1, DEEPEST_NESTING - 1, DEEPEST_NESTING, DEEPEST_NESTING + 1, 5_000]);
      const [open, close] = random.pick([
        ['[', ']'],
        ['{"a":', '}'],
      ] as const);
      const inside = open.repeat(levels) + (open === '[' ? '' : '1') + close.repeat(levels);
      return `{"_id":"deep","d":${inside}}`;
    }
    case 1: {
      const length = LONGEST_ID_BYTES + random.pick([-1, 0, 1]);
      return `{"_id":"${'x'.repeat(length)}","at":1}`;
    }
    case 2:
      return `{"_id":${random.pick(IDS)},"at":${random.pick(DATES)}}`;
    case 3:
      return `{"_id":"key",${JSON.stringify('k'.repeat(random.pick([1, 1_000, 60_000])))}:1}`;
    case 4:
      // Members with the same name, also of the names that decide.
      return `{"_id":"twice","_id":"${random.pick(['twice', 'once', ''])}","at":1,"at":${random.pick(DATES)},"__proto__":{},"$expiration":${value(random, 2)}}`;
    default:
      return `{"_id":${JSON.stringify(hostileText(random))},"at":${value(random, 3)},"x":${value(random, 4)}}`;
  }
}

function value(random: Random, depth: number): string {
  switch (random.between(0, depth > 0 ? 5 : 3)) {
    case 0:
      return random.pick(NUMBERS);
    case 1:
      return random.pick(WORDS);
    case 2:
      return JSON.stringify(hostileText(random));
    case 3:
      return random.pick(DATES);
    case 4:
      return `[${Array.from({ length: random.between(0, 3) }, () => value(random, depth - 1)).join(',')}]`;
    default:
      return `{${Array.from({ length: random.between(0, 3) }, () => `${JSON.stringify(hostileText(random))}:${value(random, depth - 1)}`).join(',')}}`;
  }
}
