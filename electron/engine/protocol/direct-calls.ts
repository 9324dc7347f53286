import type { MessagePort } from 'node:worker_threads';

/** Message of the reader thread over a direct port, beside answers to calls. */
export type FromReader =
  /** It answers from now on. */
  | { readonly reader: 'ready' }
  /** A call that it cannot answer at the moment: the engine's thread has to. */
  | { readonly reader: 'declined'; readonly call: string };

/** Head of the message of a call that the reader thread answers. */
const DIRECT_CALL = /^\{"i":"([^"]{1,40})","p":\{"u":"\/(?:documents\/get|events\/read(?:Frames)?)"/;
/** Head of the message that cancels a call. */
const CANCELLATION = /^\{"i":"([^"]{1,40})","t":4/;
const ANSWER = /^\{"i":"([^"]{1,40})"/;
const HEAD_CHARACTERS = 96;

function idIn(message: string, head: RegExp): string | undefined {
  return head.exec(message.slice(0, HEAD_CHARACTERS))?.[1];
}

function isFromReader(message: unknown): message is FromReader {
  return typeof message === 'object' && message !== null && 'reader' in message;
}

/**
 * The host's end of a port to the reader thread. Reads of one document and of the change log pass it by their head,
 * undecoded, so that they do not wait for the engine's thread, which writes.
 */
export class DirectCalls {
  readonly #port: MessagePort;
  readonly #running = new Set<string>();
  #isReady = false;

  /** `answered` receives answers, `declined` calls that the engine has to answer; `ended` is called if calls may be lost. */
  constructor(
    port: MessagePort,
    on: { answered(message: unknown): void; declined(call: string): void; ended(): void },
  ) {
    this.#port = port;
    port.on('message', (message: unknown) => {
      if (!isFromReader(message)) {
        const id = typeof message === 'string' ? idIn(message, ANSWER) : undefined;
        if (id !== undefined) this.#running.delete(id);
        on.answered(message);
      } else if (message.reader === 'ready') this.#isReady = true;
      else {
        const id = idIn(message.call, ANSWER);
        if (id !== undefined) this.#running.delete(id);
        on.declined(message.call);
      }
    });
    port.on('close', () => {
      if (this.#isReady) on.ended();
      this.#isReady = false;
    });
  }

  /** Sends the message to the reader thread if it belongs there. Returns whether it did. */
  send(message: unknown): boolean {
    if (!this.#isReady || typeof message !== 'string') return false;
    const call = idIn(message, DIRECT_CALL);
    if (call !== undefined) this.#running.add(call);
    else {
      const cancelled = idIn(message, CANCELLATION);
      if (cancelled === undefined || !this.#running.has(cancelled)) return false;
    }
    this.#port.postMessage(message);
    return true;
  }

  close(): void {
    this.#isReady = false;
    this.#port.close();
  }
}
