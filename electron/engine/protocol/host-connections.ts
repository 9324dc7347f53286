import type { ConnectionRecord } from '../../../shared/contract/connections.ts';
import type { ConnectionCall, Connections } from './connection-calls.ts';
import { type ConnectionsFromThread, type ConnectionsToThread, deserializeError } from './thread-messages.ts';

type Answered = Extract<ConnectionsToThread, { kind: 'answered' }>;

/** Connections in an engine's thread: the host sends the list and answers calls. */
export class HostConnections implements Connections {
  readonly id: string;
  #list: readonly ConnectionRecord[];
  readonly #send: (message: ConnectionsFromThread) => void;
  readonly #listeners = new Set<() => void>();
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #nextId = 1;

  constructor(
    { id, list }: { id: string; list: readonly ConnectionRecord[] },
    send: (message: ConnectionsFromThread) => void,
  ) {
    this.id = id;
    this.#list = list;
    this.#send = send;
  }

  get list(): readonly ConnectionRecord[] {
    return this.#list;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  call(call: ConnectionCall): Promise<unknown> {
    const id = this.#nextId++;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#send({ kind: 'call', id, call });
    return waiting.promise;
  }

  /** Handles a message of the host. */
  receive(message: ConnectionsToThread): void {
    if (message.kind === 'answered') this.#answered(message);
    else {
      this.#list = message.list;
      for (const listener of this.#listeners) listener();
    }
  }

  #answered(answer: Answered): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (!('error' in answer)) waiting?.resolve(answer.result);
    else waiting?.reject(deserializeError(answer.error));
  }
}
