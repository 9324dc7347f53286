import type { ORPCError } from '@orpc/client';
import type { WebSocket } from 'ws';
import { SOCKET_CLOSED } from '../../../shared/model/transport/window-socket.ts';
import type { Slots } from '../../engine/access/concurrency-limit.ts';

/** Bytes. A larger message needs a slot, and later messages wait for its answer. */
export const SMALL_MESSAGE_BYTES = 1024 * 1024;

/** An oRPC message, text or bytes, begins with an id, which its answer repeats. Only calls are answered. */
const CALL = /^\{"i":"([\w-]{1,40})","p":\{"u":"\/([\w/]{1,80})"/;
const MESSAGE_ID = /^\{"i":"([\w-]{1,40})"/;
const ID_BYTES = 64;
/** Enough for the id, the procedure and the names that a call gives before its body. */
const HEAD_BYTES = 4 * 1024;

/** A large call before it is parsed. `head` is the beginning of its JSON. */
export interface LargeCall {
  /** For example `documents.put`. */
  procedure: string;
  bytes: number;
  head: string;
}

export interface LargeMessageOptions {
  /** Limits the large messages in the engine that have no answer yet: each is parsed there in one piece. */
  slots: Slots;
  /** Returns the error with which a call is refused; undefined if it is passed on. */
  refusalOf(call: LargeCall): ORPCError<string, unknown> | undefined;
}

/** Passes large messages to the engine one after another, and answers those that are refused without parsing them. */
export class LargeMessageGate {
  readonly #socket: WebSocket;
  readonly #options: LargeMessageOptions;
  readonly #post: (message: Buffer, isBinary: boolean) => void;
  readonly #closed = new AbortController();
  /**
   * Messages after the unanswered one. Beyond SMALL_MESSAGE_BYTES the socket is paused; its end is then detected by
   * pings only.
   */
  #held: { message: Buffer; isBinary: boolean }[] = [];
  #heldBytes = 0;
  #unanswered: string | undefined;
  #release = () => {};

  constructor(
    socket: WebSocket,
    options: LargeMessageOptions,
    post: (message: Buffer, isBinary: boolean) => void,
  ) {
    this.#socket = socket;
    this.#options = options;
    this.#post = post;
    socket.on('close', () => {
      this.#closed.abort();
      this.#release();
    });
  }

  /** Passes a message on: a small one now, a large one once it has a slot, later ones after the large one's answer. */
  receive(message: Buffer, isBinary: boolean): void {
    if (this.#unanswered !== undefined) {
      this.#held.push({ message, isBinary });
      this.#heldBytes += message.length;
      if (this.#heldBytes > SMALL_MESSAGE_BYTES) this.#socket.pause();
    } else if (message.length <= SMALL_MESSAGE_BYTES) this.#post(message, isBinary);
    else this.#receiveLarge(message, isBinary);
  }

  /** Called with each message of the engine, to detect the answer to the large message. */
  onAnswer(message: string | Uint8Array): void {
    if (
      this.#unanswered === undefined ||
      MESSAGE_ID.exec(headOf(message, ID_BYTES))?.[1] !== this.#unanswered
    )
      return;
    this.#unanswered = undefined;
    this.#release();
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    this.#socket.resume();
    for (const one of held) this.receive(one.message, one.isBinary);
  }

  #receiveLarge(message: Buffer, isBinary: boolean): void {
    const head = headOf(message, HEAD_BYTES);
    const [, id, path] = CALL.exec(head) ?? [];
    if (id === undefined || path === undefined) {
      this.#socket.close(SOCKET_CLOSED.NO_CALL, 'no call');
      return;
    }
    const procedure = path.replaceAll('/', '.');
    const refusal = this.#options.refusalOf({ procedure, bytes: message.length, head });
    if (refusal !== undefined) {
      this.#socket.send(JSON.stringify({ i: id, p: { s: refusal.status, b: { json: refusal.toJSON() } } }));
      return;
    }
    this.#unanswered = id;
    this.#slot().then(
      release => {
        this.#release = release;
        // The socket may have closed meanwhile.
        if (this.#closed.signal.aborted) release();
        else this.#post(message, isBinary);
      },
      () => {
        if (this.#closed.signal.aborted) return;
        this.#socket.resume();
        this.#socket.close(SOCKET_CLOSED.BUSY, 'too many large messages at once');
      },
    );
  }

  /** Rejects if the socket closes first, and with BUSY if too many messages wait already. */
  async #slot(): Promise<() => void> {
    return await this.#options.slots.take(this.#closed.signal);
  }
}

function headOf(message: string | Uint8Array, bytes: number): string {
  return typeof message === 'string'
    ? message.slice(0, bytes)
    : Buffer.from(message.buffer, message.byteOffset, Math.min(bytes, message.byteLength)).toString('latin1');
}
