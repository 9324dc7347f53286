import { setImmediate } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import {
  type ArrayPart,
  ELEMENT_TOO_LONG,
  JsonArrayCutter,
} from '../../../shared/model/json/array-cutter.ts';
import { stringifyJson } from '../../../shared/model/json/json.ts';
import { LARGEST_DOCUMENT_BYTES } from '../../../shared/model/names.ts';
import { badBody } from '../answer/refused-body.ts';

/** NDJSON of at most 500 lines, or one document that is too large and whose text is not kept. */
export type DocumentPart = ArrayPart;

/**
 * Parses a large JSON array of documents in parts as it arrives, so that other requests run between two parts.
 */
export class DocumentParts {
  readonly #parse: (text: string) => unknown;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #cutter = new JsonArrayCutter(LARGEST_DOCUMENT_BYTES);
  readonly #parts: DocumentPart[] = [];

  constructor(parse: (text: string) => unknown) {
    this.#parse = parse;
  }

  /** Throws RefusedBody for invalid JSON. */
  async push(chunk: Buffer): Promise<void> {
    this.#take(() => this.#decoder.decode(chunk, { stream: true }));
    await setImmediate();
  }

  /** Returns the parts in their order. Throws RefusedBody if the array is incomplete. */
  end(): readonly DocumentPart[] {
    this.#take(() => this.#decoder.decode());
    refusing(() => this.#cutter.end());
    return this.#parts;
  }

  #take(decode: () => string): void {
    const text = refusing(decode);
    for (const part of refusing(() => this.#cutter.push(text))) {
      if (part === ELEMENT_TOO_LONG) {
        this.#parts.push(part);
        continue;
      }
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
    throw badBody(
      `The body is not JSON: ${error instanceof SyntaxError ? error.message : 'it is not UTF-8'}`,
    );
  }
}
