import { type Tokens, tokenLanguage } from './token-language.ts';

const TOKENS: Tokens = [
  [/^(?:\/\/|-- ).*/, 'comment'],
  [/^(?:"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*)(?=\s*:)/, 'propertyName'],
  [/^(?:"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)/, 'string'],
  [/^--?[a-z][\w-]*/, 'propertyName'],
  // GET, ALTER TABLE
  [/^[A-Z][A-Z_]+\b/, 'keyword'],
  [/^(?:true|false|null)\b/, 'atom'],
  [/^[A-Za-z_]\w*(?=\s*\()/, 'variableName.function'],
  // Paths and names, with the digits in them.
  [/^[A-Za-z_/][\w/.%?&=-]*/, null],
  [/^\d+(?:\.\d+)?/, 'number'],
];

/** Colours of a shown call: REST with a JSON body, a command line, SQL, a shell's JavaScript. */
export const statement = tokenLanguage('statement', TOKENS);
