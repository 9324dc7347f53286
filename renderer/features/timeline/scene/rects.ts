/**
 * Rectangles of one colour in a flat array: x, y, width, height, and so on. One array per colour avoids an object per
 * bar.
 */
export type Rects = number[];
