import type { ReactNode } from 'react';

/** 16 px grid, 1.5 px stroke, currentColor. State icons differ in silhouette, not only in detail. */
function stroked(paths: readonly string[], rest?: ReactNode): ReactNode {
  return (
    <g fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round">
      {paths.map(d => (
        <path key={d} d={d} />
      ))}
      {rest}
    </g>
  );
}
const filled = (d: string): ReactNode => <path fill="currentColor" fillRule="evenodd" d={d} />;
const circle = (cx: number, cy: number, r: number) => <circle key={`${cx}-${cy}`} cx={cx} cy={cy} r={r} />;
const rect = (x: number, y: number, width: number, height: number, rx = 1.5) => (
  <rect key={`${x}-${y}`} x={x} y={y} width={width} height={height} rx={rx} />
);

export const ICONS = {
  live: stroked(['M8 4.6V8l2.3 1.5'], [circle(8, 8, 6)]),
  soon: stroked(
    ['M4 2h8M4 14h8M5 2v2c0 2 3 2.6 3 4s-3 2-3 4v2M11 2v2c0 2-3 2.6-3 4s3 2 3 4v2'],
    <path fill="currentColor" stroke="none" d="M5.6 13.4C5.8 11.6 8 11.4 8 9.8c0 1.6 2.2 1.8 2.4 3.6z" />,
  ),
  overdue: filled(
    'M7.2.9a1.1 1.1 0 0 1 1.6 0l6.3 6.3a1.1 1.1 0 0 1 0 1.6l-6.3 6.3a1.1 1.1 0 0 1-1.6 0L.9 8.8a1.1 1.1 0 0 1 0-1.6ZM7.1 4.2h1.8v4.9H7.1ZM7.1 10.3h1.8v1.8H7.1Z',
  ),
  never: stroked([
    'M5 5.3C3.2 5.3 1.8 6.5 1.8 8s1.4 2.7 3.2 2.7C7.6 10.7 8.4 5.3 11 5.3c1.8 0 3.2 1.2 3.2 2.7s-1.4 2.7-3.2 2.7C8.4 10.7 7.6 5.3 5 5.3Z',
  ]),
  pinned: stroked(['M5 2h6M6.2 2.2v3.6L4 9h8L9.8 5.8V2.2M8 9v5']),
  quarantined: stroked(['M5.4 1.8h5.2l3.6 3.6v5.2l-3.6 3.6H5.4l-3.6-3.6V5.4ZM5 8h6']),
  paused: filled('M3.5 2.5h3.2v11H3.5ZM9.3 2.5h3.2v11H9.3Z'),
  held: stroked(['M4.3 9.8 11.4 4'], [circle(3, 11, 1.7), circle(13, 11, 1.7)]),
  running: filled('M4 2.6v10.8a.8.8 0 0 0 1.2.7l8.6-5.4a.8.8 0 0 0 0-1.4L5.2 1.9A.8.8 0 0 0 4 2.6Z'),
  off: stroked([], [rect(3, 3, 10, 10)]),
  glass: stroked(['M4 2h8M4 14h8M5 2v2c0 2 3 2.6 3 4s-3 2-3 4v2M11 2v2c0 2-3 2.6-3 4s3 2 3 4v2']),
  cliff: filled('M2 2.5h6.2v9.2H14v1.8H6.4V4.3H2Z'),
  search: stroked(['M10.5 10.5 14 14'], [circle(7, 7, 4.5)]),
  plus: stroked(['M8 3v10M3 8h10']),
  x: stroked(['M4 4l8 8M12 4l-8 8']),
  check: stroked(['M3 8.5 6.5 12 13 4.5']),
  left: stroked(['M10 3 5 8l5 5']),
  right: stroked(['M6 3l5 5-5 5']),
  down: stroked(['M3.5 6 8 10.5 12.5 6']),
  up: stroked(['M3.5 10.5 8 6l4.5 4.5']),
  arrow: stroked(['M3 8h10M9 4l4 4-4 4']),
  back: stroked(['M13 8H3M7 4 3 8l4 4']),
  sun: stroked(
    ['M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7'],
    [circle(8, 8, 3)],
  ),
  moon: stroked(['M13.5 9.6A5.8 5.8 0 0 1 6.4 2.5a5.8 5.8 0 1 0 7.1 7.1Z']),
  overview: stroked(['M2 13V9M5 13V5M8 13V2.5M11 13V7M14 13v-3']),
  activity: stroked(['M1.5 8h3l2-5 3 10 2-5h3']),
  health: stroked([
    'M8 13.5S2 10 2 5.8C2 3.8 3.4 2.5 5 2.5c1.3 0 2.4.8 3 2 .6-1.2 1.7-2 3-2 1.6 0 3 1.3 3 3.3C14 10 8 13.5 8 13.5Z',
  ]),
  conn: stroked(['M4.5 4.8h.01M4.5 11.3h.01'], [rect(2, 2.5, 12, 4.5, 1.2), rect(2, 9, 12, 4.5, 1.2)]),
  gear: stroked(
    [
      'M8 1.8v1.6M8 12.6v1.6M1.8 8h1.6M12.6 8h1.6M3.6 3.6l1.1 1.1M11.3 11.3l1.1 1.1M3.6 12.4l1.1-1.1M11.3 4.7l1.1-1.1',
    ],
    [circle(8, 8, 2.2)],
  ),
  table: stroked(['M2 6.5h12M2 10h12M6.5 6.5v7'], [rect(2, 2.5, 12, 11)]),
  columns: stroked(['M6 2.5v11M10 2.5v11'], [rect(2, 2.5, 12, 11)]),
  filter: stroked(['M2 4h12M4.5 8h7M6.5 12h3']),
  download: stroked(['M8 2.5v7.5M4.8 7 8 10.2 11.2 7M2.5 13.5h11']),
  upload: stroked(['M8 10V2.5M4.8 5.5 8 2.3l3.2 3.2M2.5 13.5h11']),
  more: <g fill="currentColor">{[circle(3.2, 8, 1.3), circle(8, 8, 1.3), circle(12.8, 8, 1.3)]}</g>,
  undo: stroked(['M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M5.8 3.5 2.8 6.5l3 3']),
  file: stroked(['M4 1.8h5L12.5 5v9.2H4ZM9 1.8V5h3.5']),
  lock: stroked(['M5.2 7V5a2.8 2.8 0 0 1 5.6 0v2'], [rect(3, 7, 10, 7)]),
  link: stroked([
    'M6.5 9.5 9.5 6.5M7.2 4.6l1.6-1.6a2.9 2.9 0 0 1 4.1 4.1l-1.6 1.6M8.8 11.4 7.2 13a2.9 2.9 0 0 1-4.1-4.1l1.6-1.6',
  ]),
  trash: stroked(['M2.5 4h11M6 4V2.3h4V4M4 4l.7 9.7h6.6L12 4']),
  edit: stroked(['M3 13l.6-2.8L10.8 3a1.4 1.4 0 0 1 2 0l.2.2a1.4 1.4 0 0 1 0 2L5.8 12.4Z']),
  info: stroked(['M8 7.4v3.4M8 5.1h.01'], [circle(8, 8, 6)]),
  warn: stroked(['M8 2 14.6 13.5H1.4ZM8 6.2v3.4M8 11.6h.01']),
  err: stroked(['M8 4.8v3.8M8 11h.01'], [circle(8, 8, 6)]),
  doc: stroked(['M3 2.5h10v11H3ZM5.5 6h5M5.5 8.5h5M5.5 11h3']),
  copy: stroked(
    ['M11 5V3.5A1.5 1.5 0 0 0 9.5 2h-6A1.5 1.5 0 0 0 2 3.5v6A1.5 1.5 0 0 0 3.5 11H5'],
    [rect(5, 5, 9, 9)],
  ),
  move: stroked(['M2 4.5h5l1.5 2H14v6.5H2ZM8 10.3h3M9.8 8.8l1.5 1.5-1.5 1.5']),
  keyboard: stroked(['M4 6.8h.01M6.7 6.8h.01M9.3 6.8h.01M12 6.8h.01M5 9.5h6'], [rect(1.5, 4, 13, 8)]),
  dot: <circle cx="8" cy="8" r="3.5" fill="currentColor" />,
  skew: stroked(['M10 4.1a4.2 4.2 0 1 1 0 7.8M6 5.8V8l1.4.9'], [circle(6, 8, 4.2)]),
  next: stroked(['M4 3l6 5-6 5ZM12 3v10']),
  bolt: stroked(['M9 1.8 3.5 9H8l-1 5.2L12.5 7H8Z']),
  grow: stroked(['M2 12.5 6 8.5l2.5 2.5L14 4.5M10 4.5h4v4']),
  swap: stroked(['M2.5 5.5h10M10 3l2.5 2.5L10 8M13.5 10.5h-10M6 8l-2.5 2.5L6 13']),
  calendar: stroked(['M2 6.5h12M5.2 1.8v2.6M10.8 1.8v2.6'], [rect(2, 3, 12, 11)]),
  window: stroked(['M1.8 6h12.4'], [rect(1.8, 2.8, 12.4, 10.4)]),
} as const;
export type IconName = keyof typeof ICONS;
