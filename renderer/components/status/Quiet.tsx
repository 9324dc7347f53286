import type { ReactNode } from 'react';

/** Text inside a live region that keeps changing: not announced by screen readers at each change. */
export function Quiet({ children }: { children: ReactNode }) {
  return <span aria-live="off">{children}</span>;
}
