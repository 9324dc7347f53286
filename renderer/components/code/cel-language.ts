import { type Tokens, tokenLanguage } from './token-language.ts';

const TOKENS: Tokens = [
  [/^\/\/.*/, 'comment'],
  [/^[rRbB]{0,2}("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)/, 'string'],
  [/^(?:0x[\da-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)u?/, 'number'],
  [/^(?:true|false|null)\b/, 'atom'],
  [/^in\b/, 'keyword'],
  [/^[A-Za-z_]\w*(?=\s*\()/, 'variableName.function'],
  [/^[A-Za-z_]\w*/, 'variableName'],
];

/** Colours and brackets of CEL. The engine checks the syntax. */
export const cel = tokenLanguage('cel', TOKENS);
