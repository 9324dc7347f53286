import { type JsonValue, parseJson, stringifyJson } from '../../../../../shared/model/json/json.ts';
import { bytesOfText, textOfBytes } from '../../../deadline-mirror/bytes-text.ts';

/**
 * Returns a value as shown: an object or array if its bytes are exactly the JSON text that Sandglass would write for
 * it; otherwise its text, or `base64:…` if it is not UTF-8. A value that is not edited is therefore written back byte
 * for byte.
 */
export function shownValue(bytes: Buffer): JsonValue {
  const text = textOfBytes(bytes);
  if (!/^[[{]/.test(text)) return text;
  const parsed = jsonOf(text);
  return parsed !== undefined && stringifyJson(parsed) === text ? parsed : text;
}

/** Returns the bytes of a value as shown or edited. */
export function bytesOfValue(value: JsonValue): Buffer {
  return typeof value === 'string' ? bytesOfText(value) : Buffer.from(stringifyJson(value));
}

function jsonOf(text: string): JsonValue | undefined {
  try {
    const parsed = parseJson(text);
    return isJson(parsed) ? parsed : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The parser returns an object or array for text that begins as one. */
function isJson(parsed: unknown): parsed is JsonValue {
  return typeof parsed === 'object' && parsed !== null;
}
