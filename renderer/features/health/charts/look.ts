import type { Look } from './draw.ts';

/** The theme's tokens as a canvas needs them. */
export function readLook(element: Element): Look {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    ink3: token('ink-3'),
    grid: token('grid'),
    line: token('line-2'),
    sunken: token('bg-sunken'),
    font: `${token('text-11')} ${token('font-ui')}`,
    colours: {
      'series-1': token('series-1'),
      'series-2': token('series-2'),
      'series-3': token('series-3'),
      'series-4': token('series-4'),
      'series-5': token('series-5'),
      'series-6': token('series-6'),
      'overdue-fill': token('overdue-fill'),
    },
  };
}
