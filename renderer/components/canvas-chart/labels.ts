/** Places flags on the plot so that no text covers another. */

/** Returns the width of a text, CSS pixels; `strong`: in bold. */
export type Measure = (text: string, strong: boolean) => number;

export interface Box {
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
}

/** @internal */
export const overlaps = (a: Box, b: Box): boolean => a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2;

/** A bar to be labelled: a cliff, or one that is higher than the scale. */
export interface FlagRequest {
  /** Middle of the bar. */
  readonly x: number;
  /** Middle of the line of text above the bar. */
  readonly y: number;
  readonly count: number;
  readonly strong: string;
  readonly rest: string;
}

export interface Flag {
  readonly x: number;
  readonly y: number;
  readonly strong: string;
  readonly rest: string;
  readonly textX: number;
  /** End of the count and start of the remaining text. */
  readonly restX: number;
  readonly endX: number;
}

export interface PlacedFlags {
  readonly flags: readonly Flag[];
  /** Bars without room for text get a mark, which is explained on hover. */
  readonly marks: readonly { x: number; y: number }[];
}

/** Half the width of the glyph, and the distance from its left edge to the text. */
const GLYPH = 5;
const GLYPH_AND_SPACE = 13;
const LINE = 7;
const APART = 8;

/**
 * Highest counts first. The glyph is drawn on its bar, the text to its right, or to its left if it would cover other
 * text or leave the plot there. Without room on either side the bar gets a mark, or nothing if the mark would cover
 * text too.
 */
export function placeFlags(
  requests: readonly FlagRequest[],
  /** Boxes of text that is already placed. */
  taken: readonly Box[],
  /** Bars and the line of now: text must not cover them, except the bar that it labels. */
  obstacles: readonly Box[],
  bounds: { left: number; right: number; top: number },
  measure: Measure,
): PlacedFlags {
  const used = [...taken];
  const flags: Flag[] = [];
  const marks: { x: number; y: number }[] = [];
  for (const request of requests.toSorted((a, b) => b.count - a.count)) {
    const { x, strong, rest } = request;
    const y = Math.max(bounds.top + LINE, request.y);
    const strongWidth = measure(strong, true);
    const textWidth = strongWidth + measure(rest, false);
    const boxFrom = (x1: number): Box => ({
      x1,
      x2: x1 + textWidth + GLYPH_AND_SPACE,
      y1: y - LINE,
      y2: y + LINE,
    });
    const right = boxFrom(x - GLYPH);
    const left = boxFrom(x + GLYPH - textWidth - GLYPH_AND_SPACE);
    const others = obstacles.filter(other => x < other.x1 - GLYPH - 1 || x > other.x2 + GLYPH + 1);
    const free = (box: Box) =>
      box.x1 >= bounds.left - 4 &&
      box.x2 <= bounds.right + 2 &&
      !others.some(other => overlaps(box, other)) &&
      !used.some(other => overlaps({ ...box, x1: box.x1 - APART, x2: box.x2 + APART }, other));
    const box = [right, left].find(free);
    if (box !== undefined) {
      const textX = box === right ? right.x1 + GLYPH_AND_SPACE : left.x1;
      flags.push({ x, y, strong, rest, textX, restX: textX + strongWidth, endX: textX + textWidth });
      used.push(box);
      continue;
    }
    const mark: Box = { x1: x - 4, x2: x + 4, y1: y - LINE, y2: y + LINE };
    if (used.some(other => overlaps(mark, other))) continue;
    marks.push({ x, y });
    used.push(mark);
  }
  return { flags, marks };
}
