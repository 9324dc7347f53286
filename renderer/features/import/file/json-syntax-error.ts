import { t } from '@lingui/core/macro';

/** Position of a JSON syntax error. `ended`: valid up to the end of the text, and incomplete. */
export interface JsonSyntaxError {
  line: number;
  column: number;
  expected: string;
  found: string;
  ended: boolean;
}

const SPACE = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in a string
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const PLAIN = /(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?![\w.+-])/y;
/** Tokens that the end of the text may have cut off. */
const CUT = /(?:"(?:[^"\\]|\\.)*\\?|[-+.\w]+)$/sy;

const EXPECTED = {
  value: t`a value`,
  'first value': t`a value or “]”`,
  key: t`a quoted name`,
  'first key': t`a quoted name or “${'}'}”`,
  colon: t`“:”`,
  'next in [': t`“,” or “]”`,
  'next in {': t`“,” or “${'}'}”`,
  end: t`the end of the file`,
} as const;
type Expecting = keyof typeof EXPECTED;

function lengthOf(token: RegExp, text: string, at: number): number {
  token.lastIndex = at;
  return token.exec(text)?.[0].length ?? 0;
}

/** Returns null for valid JSON. Reports the position, which the browser's parser does not always do. */
export function jsonSyntaxError(text: string): JsonSyntaxError | null {
  const open: ('[' | '{')[] = [];
  let expecting: Expecting = 'value';
  let at = 0;
  const after = (): Expecting => {
    const inside = open.at(-1);
    return inside === undefined ? 'end' : `next in ${inside}`;
  };
  const close = () => {
    open.pop();
    return after();
  };

  for (;;) {
    at += lengthOf(SPACE, text, at);
    const sign = text[at];
    if (sign === undefined) return expecting === 'end' ? null : brokenAt(text, at, expecting);
    const isValue: boolean = expecting === 'value' || expecting === 'first value';
    const isKey: boolean = expecting === 'key' || expecting === 'first key';
    const word: number =
      isValue || isKey ? lengthOf(STRING, text, at) || (isValue ? lengthOf(PLAIN, text, at) : 0) : 0;
    if (word > 0) expecting = isKey ? 'colon' : after();
    else if (isValue && (sign === '[' || sign === '{')) {
      open.push(sign);
      expecting = sign === '[' ? 'first value' : 'first key';
    } else if (sign === ']' && (expecting === 'first value' || expecting === 'next in ['))
      expecting = close();
    else if (sign === '}' && (expecting === 'first key' || expecting === 'next in {')) expecting = close();
    else if (sign === ',' && expecting === 'next in [') expecting = 'value';
    else if (sign === ',' && expecting === 'next in {') expecting = 'key';
    else if (sign === ':' && expecting === 'colon') expecting = 'value';
    else return brokenAt(text, at, expecting);
    at += word || 1;
  }
}

function brokenAt(text: string, at: number, expecting: Expecting): JsonSyntaxError {
  const before = text.slice(0, at).split('\n');
  return {
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    expected: EXPECTED[expecting],
    found: (/^\S{1,20}/.exec(text.slice(at, at + 20))?.[0] ?? '').trim(),
    ended: at >= text.trimEnd().length || lengthOf(CUT, text, at) > 0,
  };
}
