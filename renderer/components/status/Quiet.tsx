import type { ReactNode } from 'react';

/** Within what is read aloud when it comes: a part that goes on changing, to be looked up and not told each time. */
export function Quiet({ children }: { children: ReactNode }) {
  return <span aria-live="off">{children}</span>;
}
