import type { Random } from '../../../support/random.ts';
import { hostileText, mutated, sentence } from './text.ts';

/** CEL over a document: mostly well-formed, with values of every kind where another kind is needed. */
const CEL = {
  expression: ['doc.at', '<term> <op> <term>', '<term> ? <expression> : <expression>', '<call>', '<macro>'],
  term: [
    '1',
    'doc.<field>',
    'doc[<term>]',
    '(<expression>)',
    '<literal>',
    '<call>',
    '-<term>',
    '!<term>',
    '<macro>',
  ],
  op: ['+', '-', '*', '/', '%', '==', '!=', '<less>', '>=', '&&', '||', 'in'],
  less: ['\u003c', '\u003c='],
  field: ['at', 'a', 'missing', 'list', 'text', 'constructor', '__proto__', 'at.b.c'],
  literal: [
    'null',
    'true',
    '-0.0',
    '9223372036854775807',
    '1e308',
    '"x"',
    "b'x'",
    '[]',
    '{}',
    '{"a": <term>}',
    '[<term>, <term>]',
    "r'\\d+'",
    '"2030-01-01T00:00:00Z"',
    '"1h"',
  ],
  call: [
    'size(doc)',
    'timestamp(<term>)',
    'duration(<term>)',
    'int(<term>)',
    'double(<term>)',
    'string(<term>)',
    'timestampMs(<term>)',
    'type(<term>)',
    '<term>.size()',
    '<term>.matches("<pattern>")',
    '<term>.getFullYear("<zone>")',
    'parseDate(<term>, "<format>")',
    'merge(<term>, <term>)',
    'without(<term>, <term>)',
    '<term>.split(<term>)',
    '<term>.replace(<term>, <term>)',
  ],
  macro: [
    'has(doc.a)',
    '<term>.map(x, <expression>)',
    '<term>.all(x, <expression>)',
    '<term>.exists_one(x, <expression>)',
    '<term>.filter(x, x == <term>)',
  ],
  pattern: ['a', '(a+)+$', '[', '(?=x)', '\\\\1', 'a{1000}', '(((((a*)*)*)*)*)'],
  zone: ['UTC', 'Europe/Berlin', 'x', '+99:99'],
  format: ['yyyy-MM-dd', 'QQQ', '', "'"],
};

const CRON = {
  line: [
    '* * * * *',
    '<field> <field> <field> <field> <field>',
    '<field> <field> <field> <field> <field> <field>',
    '@<word>',
  ],
  field: [
    '*',
    '<number>',
    '<number>-<number>',
    '*/<number>',
    '<number>,<number>',
    '<number>L',
    '<number>W',
    '<number>#<number>',
    '?',
    'L',
    'LW',
    '<word>',
    '<number>-<number>/<number>',
  ],
  number: ['1', '0', '30', '31', '59', '60', '-1', '99999999999', '1.5', ''],
  word: ['MON', 'FEB', 'reboot', 'yearly', 'x', 'every_minute'],
};

const DATE_PATTERN = {
  pattern: [
    'yyyy-MM-dd',
    '<part><between><part>',
    '<part><between><part><between><part>',
    "'<part>'",
    '<part>',
  ],
  part: [
    'yyyy',
    'yy',
    'MM',
    'MMM',
    'M',
    'dd',
    'd',
    'HH',
    'hh',
    'mm',
    'ss',
    'SSS',
    'a',
    'Z',
    'XXX',
    'EEE',
    'Q',
    'yyyyyyyyyy',
    'x',
    "''",
  ],
  between: ['-', '', '/', ' ', "'T'", "'", '.', '\u00a0'],
};

const DATE = {
  date: [
    '2030-01-01',
    '<year>-<two>-<two>',
    '<year>-<two>-<two>T<two>:<two>:<two><fraction><zone>',
    '<two>/<two>/<year>',
    '<two> Jan <year>',
    '<year><two><two>',
  ],
  year: ['2030', '0000', '9999', '-001', '10000', '99', ''],
  two: ['01', '00', '12', '13', '29', '30', '31', '60', '99', '1', 'xx', '٠١'],
  fraction: ['', '.5', '.999999999999', ',5', '.'],
  zone: ['Z', '', '+02:00', '+24:00', '-99:99', '+0200', 'z', ' UTC', '[Europe/Berlin]'],
};

const DURATION = {
  duration: [
    '1h',
    '<amount><space><unit>',
    '<amount><unit> <amount><unit>',
    '<amount>',
    '-<amount><unit>',
    '<amount><unit>,<amount><unit>',
  ],
  amount: ['1', '0', '1.5', '1e9', '.5', '1.', '9999999999999999999999', '٣', ''],
  unit: ['d', 'h', 'm', 's', 'ms', 'µs', 'ns', 'y', 'w', 'mo', 'days', 'fortnight', 'x'],
  space: ['', ' ', '\t', '\u00a0', '   '],
};

const POLICY = {
  file: [
    'version: 1\ncollections: {}\n',
    'version: <value>\ncollections:\n  <name>:\n    ttlIndexes:\n      <name>: <value>\n',
    '<value>',
    '? <value>\n: <value>\n',
    '&a [*a, *a]\n',
  ],
  name: ['things', '"\\0"', '__proto__', '? []', '!!str x', '<value>'],
  value: [
    '1',
    '{source: {kind: field, field: at, expireAfter: <value>}}',
    '&x {a: *x}',
    '*unknown',
    '!!js/function x',
    '[<value>, <value>]',
    '{<name>: <value>}',
    '"\\ud800"',
    '1e999',
    '- - -',
    '|\n  x',
    '0o7',
    '2030-01-01',
    '<<: {}'.replace('<<', '\u003c\u003c'),
  ],
};

/** Mostly near a valid text; sometimes changed at random, sometimes no such text at all. */
function near(rules: Readonly<Record<string, readonly string[]>>, start: string): (random: Random) => string {
  return random => {
    if (random.chance(0.08)) return hostileText(random);
    const text = sentence(random, rules, start);
    return random.chance(0.35) ? mutated(random, text) : text;
  };
}

/** Texts that a person writes into a definition, a policy or a cell, by what reads them. */
export const TEXTS_OF_DEFINITIONS = {
  expression: near(CEL, 'expression'),
  cron: near(CRON, 'line'),
  format: near(DATE_PATTERN, 'pattern'),
  date: near(DATE, 'date'),
  duration: near(DURATION, 'duration'),
  policy: near(POLICY, 'file'),
} satisfies Record<string, (random: Random) => string>;
