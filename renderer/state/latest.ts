import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/**
 * Returns a reference to the value of the last render on screen, for handlers that must stay the same function. Effects read
 * the latest value with `useEffectEvent`.
 */
export function useLatest<Value>(value: Value): Readonly<RefObject<Value>> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}

/**
 * Returns the value or, while it is null, the last value that was not; null before the first. Values are compared by
 * identity.
 */
export function useLastNonNull<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value);
  if (value !== null && value !== last) setLast(value);
  return value ?? last;
}
