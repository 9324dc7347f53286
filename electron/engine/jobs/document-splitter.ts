import { LARGEST_DOCUMENT_BYTES } from '../../../shared/model/names.ts';

/** The text of one document, and the line it begins on, from 1. */
export interface DocumentText {
  text: string;
  line: number;
  /** Why it cannot be read as one; then there is no text. */
  problem?: string;
}

/** Cuts text that comes in pieces of any size into documents. */
export interface DocumentSplitter {
  /** The documents that this piece completes. */
  push(piece: string): DocumentText[];
  /** What is left when there are no more pieces. */
  end(): DocumentText[];
  /** Lines that are complete so far. */
  readonly lines: number;
  /** One document a line: then every complete line was given. */
  readonly isByLine: boolean;
}

const LONGEST = LARGEST_DOCUMENT_BYTES + 1024;
/** Of what the text's end leaves open, so much is told. */
const MOST_TOLD_OF_OPEN = 200;

/** One document a line. Empty lines count as lines and give nothing. */
export function ndjsonSplitter(): DocumentSplitter {
  /** The pieces of the line that has no end yet, at most LONGEST characters of it. */
  let open: string[] = [];
  let length = 0;
  let line = 0;
  const append = (text: string) => {
    // A line beyond any document's size: enough of it is kept to be refused, not to fill the memory.
    const kept = text.slice(0, LONGEST - length);
    if (kept === '') return;
    open.push(kept);
    length += kept.length;
  };
  const take = (): DocumentText[] => {
    const text = open.join('').trim();
    open = [];
    length = 0;
    line += 1;
    return text === '' ? [] : [{ text, line }];
  };
  return {
    push(piece) {
      const found: DocumentText[] = [];
      let from = 0;
      // Only the new text is searched: a line that never ends would be read again with each piece.
      for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', from)) {
        append(piece.slice(from, end));
        found.push(...take());
        from = end + 1;
      }
      append(piece.slice(from));
      return found;
    },
    end() {
      return length === 0 ? [] : take();
    },
    get lines() {
      return line;
    },
    isByLine: true,
  };
}

/**
 * A JSON array of documents, or documents one after another over any number of lines. It looks only at brackets,
 * commas and strings: whether an element is valid is for the parser to say, which then names its line.
 * What cannot be part of any element, a bracket that closes nothing or an end before all is closed, is given as an
 * element that is no JSON, so that it is refused and reported and never passed over.
 */
export function jsonSplitter(): DocumentSplitter {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let isArray: boolean | null = null;
  let element = '';
  let elementLine = 1;
  let line = 1;
  /** Where the last element, or the opening of the array, ended. */
  let completeLine = 1;

  function append(text: string): void {
    // Beyond any document's size: enough of it is kept to be refused, the rest until it closes is dropped.
    if (element.length <= LONGEST) element += text.slice(0, LONGEST + 1 - element.length);
  }

  function take(into: DocumentText[]): void {
    const text = element.length > LONGEST ? element : element.trim();
    element = '';
    completeLine = line;
    if (text !== '') into.push({ text, line: elementLine });
  }

  return {
    push(piece) {
      const found: DocumentText[] = [];
      let from = 0;
      const takeUpTo = (end: number) => {
        append(piece.slice(from, end));
        from = end;
        take(found);
      };
      for (let i = 0; i < piece.length; i++) {
        const char = piece[i];
        if (char === '\n') line += 1;
        if (inString) {
          if (escaped) escaped = false;
          else if (char === '\\') escaped = true;
          else if (char === '"') inString = false;
          continue;
        }
        const base = isArray === true ? 1 : 0;
        if (element === '' && from === i) {
          // Between two elements: white space and separators belong to none.
          if (
            char === ' ' ||
            char === '\t' ||
            char === '\r' ||
            char === '\n' ||
            (char === ',' && depth === base)
          ) {
            from = i + 1;
            continue;
          }
          elementLine = line;
        }
        if (char === '"') inString = true;
        else if (char === '{' || char === '[') {
          if (isArray === null) {
            isArray = char === '[';
            if (isArray) {
              takeUpTo(i);
              depth = 1;
              from = i + 1;
              continue;
            }
          }
          depth += 1;
        } else if (char === '}' || char === ']') {
          if (depth > base) {
            depth -= 1;
            if (depth === base) takeUpTo(i + 1);
            continue;
          }
          takeUpTo(i);
          if (isArray === true && char === ']') {
            from = i + 1;
            depth = 0;
            isArray = null;
          } else {
            elementLine = line;
            takeUpTo(i + 1);
          }
        } else if (char === ',' && depth === base) {
          takeUpTo(i);
          from = i + 1;
        }
      }
      append(piece.slice(from));
      return found;
    },
    end() {
      const found: DocumentText[] = [];
      if (isArray === true || depth > 0 || inString) {
        if (element === '') {
          // Only the array is open: its bracket alone is as little JSON as the whole of it.
          element = '[';
          elementLine = completeLine;
        } else element = element.slice(0, MOST_TOLD_OF_OPEN);
      }
      take(found);
      return found;
    },
    get lines() {
      return line;
    },
    isByLine: false,
  };
}
