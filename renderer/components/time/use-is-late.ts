import { useAtTick } from './clock.ts';
import { isLate, type Lateness } from './lateness.ts';

/** Null: of nothing. */
export function useIsLate(of: Lateness | null): boolean {
  return useAtTick(now => of !== null && isLate(of, now));
}
