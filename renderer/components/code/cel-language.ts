import { StreamLanguage } from '@codemirror/language';

/** Tokens of CEL, in the order in which they are tried. */
const TOKENS: readonly (readonly [RegExp, string | null])[] = [
  [/^\/\/.*/, 'comment'],
  [/^[rRbB]{0,2}("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)/, 'string'],
  [/^(?:0x[\da-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)u?/, 'number'],
  [/^(?:true|false|null)\b/, 'atom'],
  [/^in\b/, 'keyword'],
  [/^[A-Za-z_]\w*(?=\s*\()/, 'variableName.function'],
  [/^[A-Za-z_]\w*/, 'variableName'],
];

/** Colours and brackets of CEL. The engine checks it. */
export const cel = StreamLanguage.define({
  name: 'cel',
  token(stream) {
    if (stream.eatSpace()) return null;
    for (const [pattern, token] of TOKENS) if (stream.match(pattern)) return token;
    stream.next();
    return null;
  },
});
