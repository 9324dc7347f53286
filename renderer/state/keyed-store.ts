import { useCallback, useSyncExternalStore } from 'react';
import { createEmitter } from './emitter.ts';

/** Values outside React, one per key. */
export interface KeyedStore<Value> {
  readonly get: (key: string) => Value;
  readonly set: (key: string, value: Value) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** `initialOf` is called once for each key that is read before it is set. */
export function createKeyedStore<Value>(initialOf: (key: string) => Value): KeyedStore<Value> {
  const values = new Map<string, { value: Value }>();
  const changes = createEmitter();
  return {
    get: key => {
      const known = values.get(key);
      if (known !== undefined) return known.value;
      const value = initialOf(key);
      values.set(key, { value });
      return value;
    },
    set: (key, value) => {
      values.set(key, { value });
      changes.emit();
    },
    subscribe: changes.subscribe,
  };
}

/** Returns the value of one key, and the function that sets it, which is the same while the key is the same. */
export function useKeyed<Value>(store: KeyedStore<Value>, key: string): [Value, (value: Value) => void] {
  const value = useSyncExternalStore(store.subscribe, () => store.get(key));
  const set = useCallback((next: Value) => store.set(key, next), [store, key]);
  return [value, set];
}
