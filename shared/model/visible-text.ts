/**
 * Characters that a terminal, a log or a page interprets instead of showing: control characters (ESC and line breaks
 * among them), line separators, and those that change the direction of writing.
 */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** The same characters for JSON text, in which control characters are escaped already and line breaks are layout. */
const CONTROL_CHARACTERS_IN_JSON =
  /[\u007F-\u009F\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  const digits = code.toString(16);
  return code <= 0xff ? `\\x${digits.padStart(2, '0')}` : `\\u${digits.padStart(4, '0')}`;
}

/** Returns stored text (an `_id`, a message) as one line, with control characters as escapes. */
export function visibleText(text: string): string {
  return text.replaceAll(CONTROL_CHARACTERS, character => SHORT[character] ?? escaped(character));
}

/** Returns JSON text with an equal value, without characters that a terminal interprets. */
export function visibleJson(json: string): string {
  return json.replaceAll(
    CONTROL_CHARACTERS_IN_JSON,
    c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns whether `text` contains a character that is interpreted instead of shown. */
export function hasControlCharacters(text: string): boolean {
  return text.search(CONTROL_CHARACTERS) >= 0;
}
