import { type Figures, median } from './figures.ts';
import type { Run } from './plan.ts';

export interface Result {
  run: Run;
  figures: Figures;
  /** Duration of the whole process, s. */
  took: number;
}

/** Summary of several repeats. */
export interface Summary {
  median: number;
  least: number;
  most: number;
  runs: number;
}

export function summaryOf(values: readonly number[]): Summary | null {
  const known = values.filter(value => !Number.isNaN(value));
  if (known.length === 0) return null;
  return { median: median(known), least: Math.min(...known), most: Math.max(...known), runs: known.length };
}

export type Which = Partial<Run['options']>;

/** Measurements, by story and options. */
export class Results {
  readonly all: readonly Result[];

  constructor(all: readonly Result[]) {
    this.all = all;
  }

  /** Returns one value per repeat, in their order. */
  values(story: string, figure: string, which: Which = {}): number[] {
    return this.all
      .filter(({ run }) => run.story === story && matches(run.options, which))
      .map(({ figures }) => figures[figure])
      .flatMap(value => (typeof value === 'number' ? [value] : []));
  }

  /** Returns the largest size that both stories were run at. */
  largest(...stories: readonly string[]): number {
    const sizes = stories.map(
      story =>
        new Set(this.all.filter(({ run }) => run.story === story).map(({ run }) => run.options.documents)),
    );
    const [first = new Set<number>(), ...others] = sizes;
    return Math.max(0, ...[...first].filter(size => others.every(other => other.has(size))));
  }
}

/** Returns the ratio repeat by repeat, since both ran one after the other. */
export function ratios(above: readonly number[], below: readonly number[]): number[] {
  return above.slice(0, below.length).map((value, i) => value / (below[i] ?? Number.NaN));
}

function matches(options: Run['options'], which: Which): boolean {
  return Object.entries(which).every(([name, value]) =>
    Object.entries(options).some(([n, v]) => n === name && v === value),
  );
}
