import { EventEmitter } from 'node:events';

/** Target of a port's messages: its twin, or a page. */
export interface Peer {
  message(data: unknown): void;
  close(): void;
}

/** Electron's MessagePortMain: queues until `start`; emits `close` when the other end closes, not when this one does. */
export class DoublePort extends EventEmitter {
  #peer: Peer | undefined;
  #twin: DoublePort | undefined;
  #queue: unknown[] = [];
  #started = false;
  #closed = false;

  static pair(): [DoublePort, DoublePort] {
    const one = new DoublePort();
    const other = new DoublePort();
    one.#entangle(other);
    other.#entangle(one);
    return [one, other];
  }

  #entangle(twin: DoublePort): void {
    this.#twin = twin;
    this.#peer = { message: data => twin.receive(data), close: () => twin.peerClosed() };
  }

  postMessage(data: unknown, transfer: readonly unknown[] = []): void {
    if (transfer.length > 0) throw new Error('the Electron double passes no ports through ports');
    if (!this.#closed) this.#peer?.message(structuredClone(data));
  }

  start(): void {
    this.#started = true;
    const queue = this.#queue;
    this.#queue = [];
    for (const data of queue) this.receive(data);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#peer?.close();
  }

  receive(data: unknown): void {
    if (this.#closed) return;
    if (!this.#started) this.#queue.push(data);
    else setImmediate(() => this.#closed || this.emit('message', { data, ports: [] }));
  }

  peerClosed(): void {
    if (this.#closed) return;
    // After the messages that were sent before.
    setImmediate(() => {
      if (this.#closed) return;
      this.#closed = true;
      this.emit('close');
    });
  }

  /** Moves this end into a page: its twin sends to `peer` from now on. Returns the queued messages. */
  transferTo(open: (twin: DoublePort) => Peer): void {
    const twin = this.#twin;
    if (twin === undefined || this.#closed) throw new Error('a port is transferred once');
    this.#closed = true;
    const peer = open(twin);
    twin.#peer = peer;
    for (const data of this.#queue) peer.message(data);
    if (twin.#closed) peer.close();
  }
}

export class MessageChannelMain {
  readonly port1: DoublePort;
  readonly port2: DoublePort;
  constructor() {
    [this.port1, this.port2] = DoublePort.pair();
  }
}
