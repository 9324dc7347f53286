import { t } from '@lingui/core/macro';
import {
  isJsonObject,
  type JsonObject,
  parseJson,
  stringifyJson,
} from '../../../../shared/model/json/json.ts';

export type ReadJson =
  | { document: JsonObject }
  /** `line` is 1-based; null where the parser does not report it. */
  | { problem: string; line: number | null };

/** Parses a document; integers beyond 2^53 are kept [C1]. */
export function readDocumentText(text: string): ReadJson {
  if (text.trim() === '')
    return { problem: t`Empty: a document is a JSON object, at least ${'{}'}.`, line: 1 };
  try {
    const value = parseJson(text);
    if (!isJsonObject(value)) return { problem: t`A document must be a JSON object.`, line: 1 };
    return { document: value };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const line = lineOf(message, text);
    const problem = plain(message);
    return { problem: line === null ? `${problem}.` : t`${problem}, line ${line}.`, line };
  }
}

const texts = new WeakMap<JsonObject, string>();

/** Cached by document, because formatting a large one at each key press is slow. */
export function formatDocument(document: JsonObject): string {
  const known = texts.get(document);
  if (known !== undefined) return known;
  const text = stringifyJson(document, 2);
  texts.set(document, text);
  return text;
}

/** Line of V8's message `… in JSON at position 12 (line 2 column 3)`. */
function plain(message: string): string {
  return message
    .replace(/ in JSON at position.*$/s, '')
    .replace(/, "?.*"? is not valid JSON$/s, '')
    .replace(/\.$/, '');
}

function lineOf(message: string, text: string): number | null {
  const said = /line (\d+)/.exec(message)?.[1];
  if (said !== undefined) return Number(said);
  const position = /position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return text.slice(0, Number(position)).split('\n').length;
  return message.includes('end of JSON') ? text.split('\n').length : null;
}
