import { LARGEST_DOCUMENT_BYTES } from '../../../shared/model/names.ts';

/** The text of one document, and the line on which it begins, from 1. */
export interface DocumentText {
  text: string;
  line: number;
  /** Why it is not a document; it then has no text. */
  problem?: string;
}

/** Splits text, received in pieces of any size, into documents. */
export interface DocumentSplitter {
  /** Returns the documents that this piece completes. */
  push(piece: string): DocumentText[];
  /** Returns the rest after the last piece. */
  end(): DocumentText[];
  /** Complete lines so far. */
  readonly lines: number;
  /** True for one document per line: the documents of all complete lines were returned. */
  readonly isByLine: boolean;
}

const LONGEST = LARGEST_DOCUMENT_BYTES + 1024;
/** Most characters of an unfinished document in an error message. */
const MOST_TOLD_OF_OPEN = 200;

/** One document per line. Empty lines are counted and give no document. */
export function ndjsonSplitter(): DocumentSplitter {
  /** The pieces of the unfinished line, at most LONGEST characters. */
  let open: string[] = [];
  let length = 0;
  let line = 0;
  const append = (text: string) => {
    // A line that is longer than any document is kept only as far as its refusal needs it.
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
      // Only the new text is searched: a line without end would be searched again with each piece.
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
 * Splits a JSON array of documents, or documents one after another over any number of lines. It reads only brackets,
 * commas and strings; the parser finds invalid documents and names their line. Text that cannot be part of a
 * document, as a bracket that closes nothing or an end inside of one, is returned as an invalid document, so that it
 * is reported and not skipped.
 */
export function jsonSplitter(): DocumentSplitter {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let isArray: boolean | null = null;
  let element = '';
  let elementLine = 1;
  let line = 1;
  /** Line of the end of the last element, or of the opening of the array. */
  let completeLine = 1;

  function append(text: string): void {
    // An element that is longer than any document is kept only as far as its refusal needs it.
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
          // White space and separators between two elements.
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
          // Only the array is open: its bracket alone is as invalid as its whole text.
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
