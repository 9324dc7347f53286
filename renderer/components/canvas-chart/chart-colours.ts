import { SERIES_COLOURS } from '../figures/series-colours.ts';

/** Colours and fonts of the theme, read once per theme. */
export interface ChartColours {
  readonly ink: string;
  readonly ink2: string;
  readonly ink3: string;
  readonly panel: string;
  readonly sunken: string;
  readonly grid: string;
  readonly line: string;
  readonly now: string;
  readonly overdue: string;
  readonly overdueFill: string;
  readonly overdueSoft: string;
  readonly series: readonly string[];
  /** Hatching is stronger on a dark background. */
  readonly dark: boolean;
  readonly font: string;
  readonly strongFont: string;
}

export function readChartColours(element: Element): ChartColours {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const face = token('--font-ui') || 'sans-serif';
  const size = token('--text-11') || '11px';
  return {
    ink: token('--ink'),
    ink2: token('--ink-2'),
    ink3: token('--ink-3'),
    panel: token('--bg-panel'),
    sunken: token('--bg-sunken'),
    grid: token('--grid'),
    line: token('--line-2'),
    now: token('--now'),
    overdue: token('--overdue'),
    overdueFill: token('--overdue-fill'),
    overdueSoft: token('--overdue-soft'),
    series: Array.from({ length: SERIES_COLOURS }, (_, place) => token(`--series-${place + 1}`)),
    dark: style.colorScheme.includes('dark'),
    font: `${size} ${face}`,
    strongFont: `600 ${size} ${face}`,
  };
}
