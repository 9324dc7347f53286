import { useEffect, useState } from 'react';

/** Delay before a status appears, to avoid flicker, ms. */
const DELAY_MS = 300;

/** True from a short time after the component was mounted. */
export function useDelayed(): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLater;
}
