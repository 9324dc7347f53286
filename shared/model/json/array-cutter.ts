import { DEEPEST_NESTING } from './json.ts';

/** Limits of a part: elements, and characters after which it is cut behind the current element. */
const ELEMENTS_A_PART = 500;
const CHARACTERS_A_PART = 64 * 1024;

/** Placeholder for an element that is longer than the limit: its text is dropped. */
export const ELEMENT_TOO_LONG = Symbol('an element that is too long');
export type ArrayPart = string | typeof ELEMENT_TOO_LONG;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/**
 * Splits the text of a JSON array, received in pieces, into smaller arrays with its elements in order, so that it can
 * be parsed in parts. It reads only brackets, commas and strings: invalid JSON gives an invalid part, or is refused
 * here. An array without elements has no parts. The text of an element that is too long is not kept.
 */
export class JsonArrayCutter {
  readonly #longestElement: number;
  #state: 'before' | 'inside' | 'behind' = 'before';
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The elements of the next part so far, with their commas. */
  #part = '';
  #elements = 0;
  /** Start of the current element in `#part`. */
  #elementAt = 0;
  #isFirst = true;
  /** Whether the current element is too long: its text is dropped. */
  #isDropping = false;

  /** `longestElement`: most characters of the text of one element. */
  constructor(longestElement: number) {
    this.#longestElement = longestElement;
  }

  /** Returns the parts that this piece completes. Throws SyntaxError. */
  push(piece: string): ArrayPart[] {
    const parts: ArrayPart[] = [];
    let from = this.#state === 'inside' ? 0 : -1;
    for (let i = 0; i < piece.length; i++) {
      const unit = piece.charCodeAt(i);
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (unit === BACKSLASH) this.#escaped = true;
        else if (unit === QUOTE) this.#inString = false;
      } else if (this.#state === 'inside') {
        if (unit === QUOTE) this.#inString = true;
        else if (unit === 0x7b || unit === 0x5b) this.#open();
        else if (unit === 0x7d || unit === 0x5d) {
          if (this.#depth > 1) this.#depth -= 1;
          else {
            if (unit === 0x7d) throw new SyntaxError('a brace closes what a bracket opened');
            this.#append(piece.slice(from, i), parts);
            this.#end(parts);
          }
        } else if (unit === COMMA && this.#depth === 1) {
          this.#append(piece.slice(from, i), parts);
          from = i + 1;
          this.#next(parts);
        }
      } else if (!isSpace(unit)) {
        if (this.#state === 'behind' || unit !== 0x5b)
          throw new SyntaxError(`“${piece.slice(i, i + 1)}” stands ${this.#state} the array`);
        this.#state = 'inside';
        this.#depth = 1;
        from = i + 1;
      }
    }
    if (this.#state === 'inside') this.#append(piece.slice(from), parts);
    return parts;
  }

  /** Throws SyntaxError if the array is not closed. */
  end(): void {
    if (this.#state !== 'behind') throw new SyntaxError('the array is not closed');
  }

  #open(): void {
    this.#depth += 1;
    if (this.#depth > DEEPEST_NESTING)
      throw new SyntaxError(`objects and arrays lie deeper in one another than ${DEEPEST_NESTING}`);
  }

  /** Adds to the present element, or starts to drop it if it becomes too long. */
  #append(text: string, parts: ArrayPart[]): void {
    if (this.#isDropping) return;
    this.#part += text;
    if (this.#part.length - this.#elementAt <= this.#longestElement) return;
    // The items before the element, without the comma after the last of them.
    if (this.#elements > 0) this.#give(this.#part.slice(0, this.#elementAt - 1), parts);
    this.#begin();
    this.#isDropping = true;
  }

  #next(parts: ArrayPart[]): void {
    this.#isFirst = false;
    if (this.#isDropping) {
      this.#isDropping = false;
      parts.push(ELEMENT_TOO_LONG);
      return;
    }
    this.#elements += 1;
    if (this.#elements >= ELEMENTS_A_PART || this.#part.length >= CHARACTERS_A_PART) {
      this.#give(this.#part, parts);
      this.#begin();
    } else {
      this.#part += ',';
      this.#elementAt = this.#part.length;
    }
  }

  #end(parts: ArrayPart[]): void {
    this.#state = 'behind';
    if (this.#isDropping) parts.push(ELEMENT_TOO_LONG);
    else if (!this.#isFirst || !isBlank(this.#part)) this.#give(this.#part, parts);
    this.#begin();
  }

  #give(elements: string, parts: ArrayPart[]): void {
    // Blank text in brackets would be parsed as an array without elements.
    if (isBlank(elements)) throw new SyntaxError('an element is missing');
    parts.push(`[${elements}]`);
  }

  #begin(): void {
    this.#part = '';
    this.#elements = 0;
    this.#elementAt = 0;
  }
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
