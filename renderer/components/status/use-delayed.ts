import { useEffect, useState } from 'react';

/** What is over by then needs no word. */
const UNNOTICED_MS = 300;

/** True from a moment after its component appeared. */
export function useOnceLater(): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), UNNOTICED_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLater;
}
