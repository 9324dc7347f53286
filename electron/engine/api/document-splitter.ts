import { LARGEST_DOCUMENT_BYTES } from '../../../shared/model/names.ts';

/** The text of one document, and the line it begins on, from 1. */
export interface DocumentText {
  text: string;
  line: number;
}

/** Cuts text that comes in pieces of any size into documents. */
export interface DocumentSplitter {
  /** The documents that this piece completes. */
  push(piece: string): DocumentText[];
  /** What is left when there are no more pieces. */
  end(): DocumentText[];
  /** Lines that are complete so far. */
  readonly lines: number;
}

const LONGEST = LARGEST_DOCUMENT_BYTES + 1024;

/** One document a line. Empty lines count as lines and give nothing. */
export function ndjsonSplitter(): DocumentSplitter {
  let rest = '';
  let line = 0;
  const take = (text: string): DocumentText[] => {
    line += 1;
    const trimmed = text.trim();
    return trimmed === '' ? [] : [{ text: trimmed, line }];
  };
  return {
    push(piece) {
      const parts = (rest + piece).split('\n');
      rest = parts.pop() ?? '';
      const found = parts.flatMap(take);
      // A line beyond any document's size: keep enough of it to be refused, not to fill the memory.
      if (rest.length > LONGEST) rest = rest.slice(0, LONGEST);
      return found;
    },
    end() {
      const last = rest;
      rest = '';
      return last === '' ? [] : take(last);
    },
    get lines() {
      return line;
    },
  };
}

/**
 * A JSON array of documents, or documents one after another over any number of lines. It looks only at brackets,
 * commas and strings: whether an element is valid is for the parser to say, which then names its line.
 */
export function jsonSplitter(): DocumentSplitter {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let isArray: boolean | null = null;
  let element = '';
  let elementLine = 1;
  let line = 1;

  function take(into: DocumentText[]): void {
    const text = element.trim();
    element = '';
    if (text !== '') into.push({ text, line: elementLine });
  }

  return {
    push(piece) {
      const found: DocumentText[] = [];
      let from = 0;
      const cut = (end: number) => {
        element += piece.slice(from, end);
        from = end;
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
              depth = 1;
              from = i + 1;
              continue;
            }
          }
          depth += 1;
        } else if (char === '}' || char === ']') {
          depth -= 1;
          if (isArray === true && depth === 0) {
            cut(i);
            take(found);
            from = i + 1;
            isArray = null;
          } else if (depth === base) {
            cut(i + 1);
            take(found);
          }
        } else if (char === ',' && depth === base) {
          cut(i);
          take(found);
          from = i + 1;
        }
      }
      cut(piece.length);
      return found;
    },
    end() {
      const found: DocumentText[] = [];
      take(found);
      return found;
    },
    get lines() {
      return line;
    },
  };
}
