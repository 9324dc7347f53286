/** Measurements of one run of one story, by name: a number, or every single value if their distribution matters. */
export type Figures = Record<string, number | readonly number[]>;

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
};

export const perSecond = (count: number, ms: number): number => (count / ms) * 1_000;

/** Returns the duration of `act`, ms. */
export async function timed(act: () => unknown): Promise<number> {
  const from = performance.now();
  await act();
  return performance.now() - from;
}
