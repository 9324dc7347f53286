import { type DocumentSplitter, jsonSplitter, ndjsonSplitter } from './document-splitter.ts';

/** Characters. */
const MOST_BLANK = 64 * 1024;

/**
 * Detects from the first line whether there is one document per line, an array, or documents over several lines. A
 * first line that begins a document and continues after it is read as one document per line, so that an invalid one
 * affects no other.
 */
export function detectingSplitter(): DocumentSplitter {
  let beginning = '';
  let chosen: DocumentSplitter | null = null;

  return {
    push(piece) {
      if (chosen !== null) return chosen.push(piece);
      beginning += piece;
      const isByLine = isOneALine(beginning);
      if (isByLine === null) return [];
      chosen = isByLine ? ndjsonSplitter() : jsonSplitter();
      const all = beginning;
      beginning = '';
      return chosen.push(all);
    },
    end() {
      chosen ??= ndjsonSplitter();
      return [...chosen.push(beginning), ...chosen.end()];
    },
    get lines() {
      return chosen?.lines ?? 0;
    },
    get isByLine() {
      return chosen?.isByLine ?? true;
    },
  };
}

/** Null: not decided yet. */
function isOneALine(beginning: string): boolean | null {
  const text = beginning.trimStart();
  // Gives up after MOST_BLANK characters, so that endless blank text is not read again with each piece.
  if (text === '') return beginning.length > MOST_BLANK ? true : null;
  if (text[0] === '[') return false;
  const behind = text.slice(1).replace(/^[ \t\r]+/, '');
  return behind === '' ? null : behind[0] !== '\n';
}
