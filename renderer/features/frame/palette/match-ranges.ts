import { wordsOf } from './rank-commands.ts';

export interface Stretch {
  text: string;
  /** Whether it matches a search word. */
  hit: boolean;
}

/** Splits a text into matching and other parts. */
export function stretchesOf(text: string, typed: string): Stretch[] {
  const lower = text.toLowerCase();
  const hits = new Array<boolean>(text.length).fill(false);
  // A letter that gets longer in lower case shifts all offsets: nothing is marked then.
  if (lower.length === text.length) {
    for (const word of wordsOf(typed)) {
      for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length))
        hits.fill(true, at, at + word.length);
    }
  }
  const stretches: Stretch[] = [];
  [...hits].forEach((hit, i) => {
    const last = stretches.at(-1);
    if (last?.hit === hit) last.text += text.charAt(i);
    else stretches.push({ text: text.charAt(i), hit });
  });
  return stretches;
}
