import { useEffect, useState } from 'react';

const SLOW_MS = 1_000;

/** True while something has been in progress for more than a second. */
export function useSlow(isInProgress: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isInProgress) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isInProgress]);
  return isSlow;
}
