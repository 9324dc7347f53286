import type { CSSProperties } from 'react';

/** A bar in the connection's colour, before its name. */
export function ConnectionMark({ colour }: { colour: number }) {
  const style: CSSProperties = { background: `var(--series-${colour})` };
  return <span className="conn-mark" style={style} aria-hidden="true" />;
}
