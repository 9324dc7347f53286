import { type DocumentSplitter, jsonSplitter, ndjsonSplitter } from './document-splitter.ts';

/** Characters. */
const MOST_BLANK = 64 * 1024;

/**
 * One document a line, or an array, or documents over several lines: what the first line says. A document that begins
 * and goes on in its line is one a line, so that a broken one takes no other with it.
 */
export function eitherSplitter(): DocumentSplitter {
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

/** Null while it cannot be told. */
function isOneALine(beginning: string): boolean | null {
  const text = beginning.trimStart();
  // Blank text that does not end is not read again for ever.
  if (text === '') return beginning.length > MOST_BLANK ? true : null;
  if (text[0] === '[') return false;
  const behind = text.slice(1).replace(/^[ \t\r]+/, '');
  return behind === '' ? null : behind[0] !== '\n';
}
