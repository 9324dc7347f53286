import { useEffect, useState } from 'react';

/** The engine's now, rendered anew as each of its seconds begins. */
export function useEverySecond(clock: () => number): number {
  const [now, setNow] = useState(clock);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const at = clock();
      setNow(at);
      // Aimed at the turn of the second, so that all such clocks change together.
      timer = setTimeout(tick, 1_000 - (((at % 1_000) + 1_000) % 1_000));
    };
    tick();
    return () => clearTimeout(timer);
  }, [clock]);
  return now;
}
