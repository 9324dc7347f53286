import { useAtTick } from './clock.ts';
import { isLate, type Lateness } from './lateness.ts';

/** False for null. */
export function useIsLate(of: Lateness | null): boolean {
  return useAtTick(now => of !== null && isLate(of, now));
}
