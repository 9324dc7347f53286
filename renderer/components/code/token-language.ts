import { StreamLanguage } from '@codemirror/language';

/** Patterns at the beginning of a token, with its name (null: not coloured), in the order in which they are tried. */
export type Tokens = readonly (readonly [RegExp, string | null])[];

/** A language that is coloured token by token, without a grammar. */
export function tokenLanguage(name: string, tokens: Tokens): StreamLanguage<unknown> {
  return StreamLanguage.define({
    name,
    token(stream) {
      if (stream.eatSpace()) return null;
      for (const [pattern, token] of tokens) if (stream.match(pattern)) return token;
      stream.next();
      return null;
    },
  });
}
