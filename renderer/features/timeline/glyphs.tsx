/** The few marks the timeline's own parts carry; decoration, the words beside them say the same. */
const PATHS = {
  overdue: 'M8 .8 15.2 8 8 15.2.8 8ZM7.1 4.2v4.9h1.8V4.2ZM7.1 10.3v1.8h1.8v-1.8Z',
  cliff: 'M2 2.5h6.2v9.2H14v1.8H6.4V4.3H2Z',
  paused: 'M3.5 2.5h3.2v11H3.5ZM9.3 2.5h3.2v11H9.3Z',
} as const;

const STROKES = {
  now: 'M4 2h8M4 14h8M5 2v2.2C5 6 8 6.5 8 8s-3 2-3 3.8V14M11 2v2.2C11 6 8 6.5 8 8s3 2 3 3.8V14',
  table: 'M2.5 2.5h11v11h-11ZM2.5 6.2h11M2.5 9.8h11M6.5 6.2v7.3',
} as const;

export type GlyphName = keyof typeof PATHS | keyof typeof STROKES;

export function Glyph({ name, size = 16 }: { name: GlyphName; size?: 12 | 14 | 16 }) {
  const className = size === 16 ? 'i' : `i i-${size}`;
  return (
    <svg className={className} viewBox="0 0 16 16" aria-hidden="true">
      {name === 'now' || name === 'table' ? (
        <path
          d={STROKES[name]}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      ) : (
        <path d={PATHS[name]} fill="currentColor" fillRule="evenodd" />
      )}
    </svg>
  );
}
