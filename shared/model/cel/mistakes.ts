import type { ParseError, TypeError as TypeMistake } from '@marcbachmann/cel-js';
import type { SandglassError } from '../errors.ts';
import type { Dialect } from './dialect.ts';
import { FUNCTIONS } from './functions.ts';
import { METHODS } from './methods.ts';
import { mistakeIn } from './problem.ts';
import { withArticle } from './values.ts';

const TOKENS: Readonly<Record<string, string>> = {
  IDENTIFIER: 'a name',
  LPAREN: '“(”',
  RPAREN: '“)”',
  LBRACKET: '“[”',
  RBRACKET: '“]”',
  LBRACE: '“{”',
  RBRACE: '“}”',
  COLON: '“:”',
  COMMA: '“,”',
  DOT: '“.”',
};

/** Explains one error that the library found: the text at its position, and what was expected. */
export function explainMistake(
  text: string,
  error: ParseError | TypeMistake,
  dialect: Dialect,
): SandglassError {
  const { start, end } = error.range ?? { start: 0, end: text.length };
  const found = text.slice(start, end).trim();
  const here = start >= text.length ? 'the expression ends here' : `found “${found}”`;
  switch (error.code) {
    case 'unknown_variable':
      return mistakeIn(text, start, unknownName(found, dialect));
    case 'no_such_overload':
      return mistakeIn(text, operatorOffset(error, start), noOverload(error.summary));
    case 'no_matching_overload':
      return mistakeIn(text, methodOffset(error, start), noFunction(error.summary, dialect));
    case 'expected_token': {
      const [, wanted = ''] = /Expected (\w+)/.exec(error.summary) ?? [];
      return mistakeIn(text, start, `${capital(TOKENS[wanted] ?? wanted)} is expected, but ${here}.`);
    }
    case 'unexpected_token':
      return mistakeIn(text, start, `A value is expected, but ${here}.`);
    case 'unexpected_character':
      return mistakeIn(text, start, unexpected(text.slice(start, start + 1), found));
    case 'invalid_condition_type':
    case 'invalid_logical_operand':
      return mistakeIn(text, start, `${conditionOf(error.summary)}.`);
    case 'reserved_identifier':
      return mistakeIn(text, start, `“${found}” is a word that CEL keeps for itself; write doc["${found}"].`);
    case 'invalid_macro_argument':
      return mistakeIn(text, start, macroArgument(error.summary));
    case 'unterminated_string':
    case 'unterminated_triple_quoted_string':
      return mistakeIn(text, start, 'The text that starts here has no closing quote.');
    case 'limit_exceeded':
      return mistakeIn(text, start, 'The expression is too long or too deep.');
    default:
      return mistakeIn(text, start, `${readable(error.summary)}.`);
  }
}

function unknownName(name: string, { variables, absent }: Dialect): string {
  if (Object.hasOwn(absent, name)) return absent[name] ?? '';
  const known = Object.keys(variables).join(' and ');
  return `“${name}” is not known. An expression sees ${known}; a field is doc.${name}, a text "${name}".`;
}

/** Example: “-” has no meaning between a string and an int. */
function noOverload(summary: string): string {
  const [, left, operator, right] = /^no such overload: (.+) (\S+) (.+)$/.exec(summary) ?? [];
  if (left === undefined || operator === undefined || right === undefined) {
    const [, sign = '', operand = ''] = /^no such overload: ([!-])(.+)$/.exec(summary) ?? [];
    return `“${sign}” cannot stand before ${withArticle(readable(operand))}.`;
  }
  const meaning = `“${operator}” has no meaning between ${withArticle(readable(left))} and ${withArticle(readable(right))}`;
  const addsNumber = left.endsWith('Timestamp') && (right === 'int' || right === 'double');
  return addsNumber ? `${meaning}; a length of time is duration("10m").` : `${meaning}.`;
}

function noFunction(summary: string, { functions }: Dialect): string {
  const [, receiver, name = '', given = ''] = /'(?:([^'(]*)\.)?(\w+)\((.*)\)'$/.exec(summary) ?? [];
  const known = receiver === undefined ? { ...FUNCTIONS, ...functions } : METHODS;
  if (Object.hasOwn(known, name)) {
    const to = given === '' ? 'nothing' : `(${readable(given)})`;
    const of = receiver === undefined ? '' : ` of ${withArticle(readable(receiver))}`;
    return `${name}${of} cannot be applied to ${to}.`;
  }
  const kind = receiver === undefined ? 'function' : 'method';
  return `There is no ${kind} “${name}”. There are: ${Object.keys(known).sort().join(', ')}.`;
}

function unexpected(character: string, found: string): string {
  if (character === '=') return '“=” is not an operator; to compare, write “==”.';
  if (character === '&' || character === '|') return `“${character}” is not an operator; write it twice.`;
  return `An operator such as “+”, “==” or “?” is expected, but found “${found}”.`;
}

function conditionOf(summary: string): string {
  const [, type = ''] = /got '(.+)'$/.exec(summary) ?? [];
  return summary.startsWith('Logical')
    ? `“&&” and “||” stand between conditions, not ${withArticle(readable(type))}`
    : `A condition is expected here, true or false, not ${withArticle(readable(type))}`;
}

function macroArgument(summary: string): string {
  if (summary.startsWith('has')) return 'has takes a field, as in has(doc.expires).';
  const [name = ''] = summary.split('(');
  return `${name} takes a name first, as in doc.items.${name}(item, item.open).`;
}

/** Returns the position of a mistake in a binary operation: that of the operator, not of its left side. */
function operatorOffset({ node }: ParseError | TypeMistake, start: number): number {
  if (node?.op === undefined || !Array.isArray(node.args)) return start;
  const [left]: readonly unknown[] = node.args;
  return offsetAfter(left, node.op, node.input, start);
}

/** Returns the position of a mistake in a method call: that of the method's name. */
function methodOffset({ node }: ParseError | TypeMistake, start: number): number {
  if (node?.op !== 'rcall' || !Array.isArray(node.args)) return start;
  const [name, receiver]: readonly unknown[] = node.args;
  return typeof name === 'string' ? offsetAfter(receiver, name, node.input, start) : start;
}

function offsetAfter(node: unknown, word: string, text: string | undefined, otherwise: number): number {
  if (typeof node !== 'object' || node === null || !('end' in node) || typeof node.end !== 'number')
    return otherwise;
  const at = text?.indexOf(word, node.end) ?? -1;
  return at < 0 ? otherwise : at;
}

function readable(types: string): string {
  return types
    .replaceAll('google.protobuf.Timestamp', 'timestamp')
    .replaceAll('google.protobuf.Duration', 'duration');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
