import { useSyncExternalStore } from 'react';
import { createEmitter } from './emitter.ts';

/** A value outside React that components can subscribe to. */
export interface ReadableStore<Value> {
  /** Returns the same value (not an equal one) while nothing changed. */
  readonly get: () => Value;
  /** Calls the listener after each change. Returns the function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void;
}

export interface Store<Value> extends ReadableStore<Value> {
  /** Sets the value. Listeners are not called if it is the same value. */
  readonly set: (next: Value) => void;
}

/** `connect` is called before the first listener subscribes; the function it returns, after the last one unsubscribed. */
export function createStore<Value>(initial: Value, connect?: () => () => void): Store<Value> {
  let value = initial;
  const changes = createEmitter(connect);
  return {
    get: () => value,
    set: next => {
      if (Object.is(next, value)) return;
      value = next;
      changes.emit();
    },
    subscribe: changes.subscribe,
  };
}

/** Renders the component again when the value changes. */
export function useStore<Value>(store: ReadableStore<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** Renders the component again when the result of `select` changes: return text, a number or a part of the value. */
export function useSelected<Value, Part>(store: ReadableStore<Value>, select: (value: Value) => Part): Part {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}
