/** A constant as CockroachDB writes it: `'on'`, `e'it\'s'`, `'00:10:00':::INTERVAL`, `100`, `true`. */
const TEXT = /^(e?)'((?:[^'\\]|''|\\[\s\S])*)'(?::{2,3}[A-Za-z0-9_ ()]+)?$/i;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

/** Returns the value of a constant as text: without its quotes, escapes and type. */
export function literalText(literal: string): string {
  const trimmed = literal.trim();
  const [, escaped, body] = TEXT.exec(trimmed) ?? [];
  if (body === undefined) return trimmed;
  const text = body.replaceAll("''", "'");
  return escaped === ''
    ? text
    : text.replaceAll(/\\([\s\S])/g, (_, letter: string) => ESCAPES[letter] ?? letter);
}

/** Returns the parts of a list that are separated by commas outside of quotes and parentheses. */
export function splitList(list: string): string[] {
  const parts: string[] = [];
  let part = '';
  let depth = 0;
  for (const { kind, text } of tokensOf(list)) {
    if (text === '(') depth++;
    if (text === ')') depth--;
    if (kind === 'sign' && text === ',' && depth === 0) {
      parts.push(part.trim());
      part = '';
    } else part += text;
  }
  return part.trim() === '' ? parts : [...parts, part.trim()];
}

export interface Token {
  readonly kind: 'text' | 'name' | 'word' | 'space' | 'comment' | 'sign';
  readonly text: string;
}

const TOKENS =
  /(?<text>e'(?:[^'\\]|''|\\[\s\S])*'|'(?:[^']|'')*')|(?<name>"(?:[^"]|"")*")|(?<comment>--[^\n]*|\/\*)|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|(?<space>\s+)|(?<sign>[\s\S])/giu;

/** Returns the tokens of SQL text; an unfinished quote is a sign. */
export function tokensOf(sql: string): Token[] {
  return [...sql.matchAll(TOKENS)].map(({ 0: text, groups = {} }) => {
    for (const kind of ['text', 'name', 'comment', 'word', 'space'] as const)
      if (groups[kind] !== undefined) return { kind, text };
    return { kind: 'sign', text };
  });
}
