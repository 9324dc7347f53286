import { setImmediate } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import { ElementTooLong, JsonArrayCutter } from '../../../shared/model/json/array-cutter.ts';
import { stringifyJson } from '../../../shared/model/json/json.ts';
import { LARGEST_DOCUMENT_BYTES } from '../../../shared/model/names.ts';
import { badBody, documentTooLarge } from '../answer/refused-body.ts';

/**
 * Parses a large JSON array of documents in parts as it arrives, so that other requests run between two parts. Each part is
 * NDJSON of at most 500 lines.
 */
export class DocumentParts {
  readonly #parse: (text: string) => unknown;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #cutter = new JsonArrayCutter(LARGEST_DOCUMENT_BYTES);
  readonly #parts: string[] = [];

  constructor(parse: (text: string) => unknown) {
    this.#parse = parse;
  }

  /** Throws RefusedBody for invalid JSON, and for a document that is too large. */
  async push(chunk: Buffer): Promise<void> {
    this.#take(() => this.#decoder.decode(chunk, { stream: true }));
    await setImmediate();
  }

  /** Returns the parts in their order. Throws RefusedBody where the array is incomplete. */
  end(): readonly string[] {
    this.#take(() => this.#decoder.decode());
    refusing(() => this.#cutter.end());
    return this.#parts;
  }

  #take(decode: () => string): void {
    const text = refusing(decode);
    for (const part of refusing(() => this.#cutter.push(text))) {
      const values = this.#parse(part);
      if (!Array.isArray(values)) throw new TypeError('a part of an array is an array');
      this.#parts.push(values.map(value => stringifyJson(value)).join('\n'));
    }
  }
}

/** Runs `step`, and converts its error to RefusedBody. */
function refusing<Result>(step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    if (error instanceof ElementTooLong) throw documentTooLarge();
    throw badBody(
      `The body is not JSON: ${error instanceof SyntaxError ? error.message : 'it is not UTF-8'}`,
    );
  }
}
