import type { ConnectionRecord } from '../../../shared/contract/connections.ts';
import type { ConnectionCall, Connections } from './connection-calls.ts';
import { type ConnectionsFromThread, type ConnectionsToThread, deserializeError } from './thread-messages.ts';

type Answered = Extract<ConnectionsToThread, { kind: 'answered' }>;

/** Connections in an engine's thread: the host sends the list and answers calls. */
export class HostConnections implements Connections {
  readonly id: string;
  #list: readonly ConnectionRecord[];
  readonly #tell: (message: ConnectionsFromThread) => void;
  readonly #listeners = new Set<() => void>();
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #nextAsk = 1;

  constructor(
    { id, list }: { id: string; list: readonly ConnectionRecord[] },
    tell: (message: ConnectionsFromThread) => void,
  ) {
    this.id = id;
    this.#list = list;
    this.#tell = tell;
  }

  get list(): readonly ConnectionRecord[] {
    return this.#list;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  ask(call: ConnectionCall): Promise<unknown> {
    const ask = this.#nextAsk++;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(ask, waiting);
    this.#tell({ kind: 'ask', ask, call });
    return waiting.promise;
  }

  /** Handles a message of the host. */
  heard(message: ConnectionsToThread): void {
    if (message.kind === 'answered') this.#answered(message);
    else {
      this.#list = message.list;
      for (const listener of this.#listeners) listener();
    }
  }

  #answered(answer: Answered): void {
    const waiting = this.#waiting.get(answer.ask);
    this.#waiting.delete(answer.ask);
    if (!('error' in answer)) waiting?.resolve(answer.result);
    else waiting?.reject(deserializeError(answer.error));
  }
}
