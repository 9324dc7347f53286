import { DEEPEST_NESTING } from './json.ts';

/** A part has at most so many elements, and is cut behind the first that takes it beyond so many characters. */
const ELEMENTS_A_PART = 500;
const CHARACTERS_A_PART = 64 * 1024;

export class ElementTooLong extends Error {}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/**
 * Cuts the text of a JSON array, which comes in pieces, into smaller arrays that hold its elements in their order, so
 * that it can be parsed a part at a time. It looks at brackets, commas and strings alone: text that is no JSON leads to
 * a part that is none, or is refused here. No part is given for an array without elements.
 */
export class JsonArrayCutter {
  readonly #longestElement: number;
  #state: 'before' | 'inside' | 'behind' = 'before';
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The elements of the next part so far, with the commas between them. */
  #part = '';
  #elements = 0;
  /** Where in `#part` the present element begins. */
  #elementAt = 0;
  #isFirst = true;

  /** `longestElement`: characters of one element's text. */
  constructor(longestElement: number) {
    this.#longestElement = longestElement;
  }

  /** The parts that this piece completes. Throws SyntaxError, ElementTooLong. */
  push(piece: string): string[] {
    const parts: string[] = [];
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
            this.#part += piece.slice(from, i);
            this.#end(parts);
          }
        } else if (unit === COMMA && this.#depth === 1) {
          this.#part += piece.slice(from, i);
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
    if (this.#state === 'inside') this.#part += piece.slice(from);
    this.#checkLength();
    return parts;
  }

  /** Throws SyntaxError where the array is not closed. */
  end(): void {
    if (this.#state !== 'behind') throw new SyntaxError('the array is not closed');
  }

  #open(): void {
    this.#depth += 1;
    if (this.#depth > DEEPEST_NESTING)
      throw new SyntaxError(`objects and arrays lie deeper in one another than ${DEEPEST_NESTING}`);
  }

  #next(parts: string[]): void {
    this.#checkLength();
    this.#elements += 1;
    if (this.#elements >= ELEMENTS_A_PART || this.#part.length >= CHARACTERS_A_PART) {
      // Blank text in brackets would be parsed as an array without elements.
      if (isBlank(this.#part)) throw new SyntaxError('an element is missing');
      parts.push(`[${this.#part}]`);
      this.#part = '';
      this.#elements = 0;
    } else this.#part += ',';
    this.#elementAt = this.#part.length;
    this.#isFirst = false;
  }

  #end(parts: string[]): void {
    this.#state = 'behind';
    this.#checkLength();
    const isEmpty = isBlank(this.#part);
    if (isEmpty && !this.#isFirst) throw new SyntaxError('an element is missing');
    if (!isEmpty) parts.push(`[${this.#part}]`);
    this.#part = '';
    this.#elementAt = 0;
  }

  #checkLength(): void {
    if (this.#part.length - this.#elementAt > this.#longestElement)
      throw new ElementTooLong(`an element is longer than ${this.#longestElement} characters`);
  }
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
