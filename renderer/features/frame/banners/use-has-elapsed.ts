import { useEffect, useState } from 'react';

/** Returns whether `ms` have passed since `since`, an instant of the window's clock; false while `since` is null. */
export function useHasElapsed(since: number | null, ms: number): boolean {
  const [passedFor, setPassedFor] = useState<number | null>(null);
  useEffect(() => {
    if (since === null) return;
    const timer = setTimeout(() => setPassedFor(since), Math.max(0, since + ms - Date.now()));
    return () => clearTimeout(timer);
  }, [since, ms]);
  return since !== null && passedFor === since;
}
