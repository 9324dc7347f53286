import { wordsOf } from './rank-commands.ts';

export interface TextPart {
  text: string;
  /** Whether the part matches a search word. */
  hit: boolean;
}

/** Splits a text into matching and other parts. */
export function matchRanges(text: string, typed: string): TextPart[] {
  const lower = text.toLowerCase();
  const hits = new Array<boolean>(text.length).fill(false);
  // If a letter gets longer in lower case, all offsets are shifted: then no part is marked.
  if (lower.length === text.length) {
    for (const word of wordsOf(typed)) {
      for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length))
        hits.fill(true, at, at + word.length);
    }
  }
  const parts: TextPart[] = [];
  [...hits].forEach((hit, i) => {
    const last = parts.at(-1);
    if (last?.hit === hit) last.text += text.charAt(i);
    else parts.push({ text: text.charAt(i), hit });
  });
  return parts;
}
