/** Settings with which an index reads the text of its field [D3]. */
export interface DateFormats {
  /** Patterns, tried in order; `iso` stands for the dates that are read without a format. */
  formats: string[];
  /** The zone of dates without an offset; absent: UTC. */
  zone?: string | undefined;
}

/** The format of dates that are read without one, to name it beside patterns. */
export const ISO = 'iso';
export const MOST_FORMATS = 8;
