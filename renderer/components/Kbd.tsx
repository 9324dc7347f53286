import type { ReactNode } from 'react';

/** A key, as it stands on the keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className="kbd">{children}</kbd>;
}
