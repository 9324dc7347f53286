import { plural } from '@lingui/core/macro';

/**
 * Folds parts of a long text, so that a text field stays fast with a document of any size. In the shown text a mark,
 * `⟦a1: 8,950 lines⟧`, represents each fold. A mark can be moved or deleted like other text.
 */
export interface Folded {
  shown: string;
  /** Folded text by mark. */
  folds: ReadonlyMap<string, string>;
}

/**
 * Shorter text is not folded, characters.
 * @internal
 */
export const FOLDED_FROM = 48 * 1024;
/** Indentation of lines inside a value of the document. */
const INSIDE = '    ';
const RUN = { longest: 60, head: 30, tail: 3 };
const ALL = { longest: 1_500, head: 1_000, tail: 200 };
const LINE = { longest: 2_000, head: 800, tail: 100 };
/** Number of lines, or of characters of one line, that one unfolding shows. */
const LINES_MORE = 300;
const CHARACTERS_MORE = 4_000;

export function fold(text: string): Folded {
  if (text.length < FOLDED_FROM) return { shown: text, folds: new Map() };
  const marks = new Marks(text);
  const lines = text.split('\n').map(line => marks.line(line, LINE));
  return { shown: marks.lines(marks.runs(lines), ALL).join('\n'), folds: marks.folds };
}

/** Returns the whole text. */
export function unfold({ shown, folds }: Folded): string {
  if (folds.size === 0) return shown;
  // A fold may contain marks.
  return shown.replaceAll(MARK, mark => {
    const part = folds.get(mark);
    return part === undefined ? mark : unfold({ shown: part, folds });
  });
}

/** Returns the mark at this offset of the shown text; null: none. */
export function markAt({ shown, folds }: Folded, offset: number): { mark: string; from: number } | null {
  for (const { 0: mark, index } of shown.matchAll(MARK))
    if (folds.has(mark) && index <= offset && offset <= index + mark.length) return { mark, from: index };
  return null;
}

/** Shows the next part of a fold. */
export function unfoldMore(folded: Folded, { mark, from }: { mark: string; from: number }): Folded {
  const part = folded.folds.get(mark) ?? '';
  const marks = new Marks(unfold(folded), folded.folds);
  const lines = part.split('\n');
  const next =
    lines.length > 1
      ? marks.lines(lines, { longest: LINES_MORE + 20, head: LINES_MORE, tail: 0 }).join('\n')
      : marks.line(part, { longest: CHARACTERS_MORE + 200, head: CHARACTERS_MORE, tail: 0 });
  const { shown } = folded;
  return { shown: shown.slice(0, from) + next + shown.slice(from + mark.length), folds: marks.folds };
}

/** Returns the number of each shown line in the whole text. */
export function lineNumbers({ shown, folds }: Folded): number[] {
  let number = 1;
  return shown.split('\n').map(line => {
    const mine = number;
    number += folds.size === 0 || !line.includes('⟦') ? 1 : unfold({ shown: line, folds }).split('\n').length;
    return mine;
  });
}

const MARK = /⟦[a-z]+[0-9]+: [^⟧]*⟧/g;

interface Limit {
  longest: number;
  head: number;
  tail: number;
}

class Marks {
  readonly folds: Map<string, string>;
  readonly #prefix: string;

  constructor(text: string, folds: ReadonlyMap<string, string> = new Map()) {
    this.folds = new Map(folds);
    // Skips marks that occur in the text itself.
    let prefix = 'a';
    while (text.includes(`⟦${prefix}`)) prefix += 'a';
    this.#prefix = prefix;
  }

  #fold(part: string, what: string): string {
    const mark = `⟦${this.#prefix}${this.folds.size + 1}: ${what}⟧`;
    this.folds.set(mark, part);
    return mark;
  }

  /** Folds one line: the middle of a long one. */
  line(line: string, { longest, head, tail }: Limit): string {
    if (line.length <= longest) return line;
    const end = line.length - tail;
    const part = line.slice(head, end);
    return (
      line.slice(0, head) +
      this.#fold(part, plural(part.length, { one: '# character', other: '# characters' })) +
      line.slice(end)
    );
  }

  /** Folds lines: the middle of many. */
  lines(lines: readonly string[], { longest, head, tail }: Limit): readonly string[] {
    if (lines.length <= longest) return lines;
    const end = lines.length - tail;
    const part = lines.slice(head, end);
    const indent = /^ */.exec(part[0] ?? '')?.[0] ?? '';
    const text = part.join('\n').slice(indent.length);
    const mark = this.#fold(text, plural(linesIn(part, this.folds), { one: '# line', other: '# lines' }));
    return [...lines.slice(0, head), indent + mark, ...lines.slice(end)];
  }

  /** Folds each long run of lines inside one value. */
  runs(lines: readonly string[]): string[] {
    const found: string[] = [];
    let run: string[] = [];
    const end = () => {
      found.push(...this.lines(run, RUN));
      run = [];
    };
    for (const line of lines) {
      if (line.startsWith(INSIDE)) run.push(line);
      else {
        end();
        found.push(line);
      }
    }
    end();
    return found;
  }
}

function linesIn(part: readonly string[], folds: ReadonlyMap<string, string>): number {
  return part.reduce((sum, line) => {
    return sum + (line.includes('⟦') ? unfold({ shown: line, folds }).split('\n').length : 1);
  }, 0);
}
