/** A kind of event, with its listeners. */
export interface Emitter<Payload = void> {
  /** Calls every listener in the order of subscription. */
  readonly emit: (payload: Payload) => void;
  /** Returns the function that unsubscribes. */
  readonly subscribe: (listener: (payload: Payload) => void) => () => void;
}

/** `connect` is called before the first listener subscribes; the function it returns, after the last one unsubscribed. */
export function createEmitter<Payload = void>(connect?: () => () => void): Emitter<Payload> {
  const listeners = new Set<(payload: Payload) => void>();
  let disconnect: (() => void) | undefined;
  return {
    emit: payload => {
      for (const listener of listeners) listener(payload);
    },
    subscribe: listener => {
      if (listeners.size === 0) disconnect = connect?.();
      listeners.add(listener);
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return;
        disconnect?.();
        disconnect = undefined;
      };
    },
  };
}
