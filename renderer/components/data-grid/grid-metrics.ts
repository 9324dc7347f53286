/** Heights in pixels. */
export const ROW_HEIGHT = 28;
export const HEAD_HEIGHT = 26;
