/**
 * Characters that a terminal, a log or a page obeys instead of showing: control characters (ESC and line breaks among
 * them), line separators, and those that turn the direction of writing.
 */
const OBEYED = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** The same where JSON was written: what it escapes by itself is escaped, and its own line breaks stay. */
const OBEYED_IN_JSON = /[\u007F-\u009F\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  const digits = code.toString(16);
  return code <= 0xff ? `\\x${digits.padStart(2, '0')}` : `\\u${digits.padStart(4, '0')}`;
}

/** Stored text (an `_id`, a message) as one line for a person: what would be obeyed is shown as its escape. */
export function visibleText(text: string): string {
  return text.replaceAll(OBEYED, character => SHORT[character] ?? escaped(character));
}

/** JSON text that is the same JSON, with nothing in it that a terminal obeys. */
export function visibleJson(json: string): string {
  return json.replaceAll(OBEYED_IN_JSON, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Whether `text` holds a character that is obeyed instead of shown. */
export function holdsObeyed(text: string): boolean {
  return text.search(OBEYED) >= 0;
}
