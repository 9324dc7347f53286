import type { ReactNode } from 'react';

/** Frequently changing text inside a live region: screen readers do not announce each change. */
export function Quiet({ children }: { children: ReactNode }) {
  return <span aria-live="off">{children}</span>;
}
