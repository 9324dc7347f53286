import type { CSSProperties } from 'react';

/** Its colour: a bar before its name. Told apart by the name; the colour only helps to find it. */
export function ConnectionMark({ colour }: { colour: number }) {
  const style: CSSProperties = { background: `var(--series-${colour})` };
  return <span className="conn-mark" style={style} aria-hidden="true" />;
}
