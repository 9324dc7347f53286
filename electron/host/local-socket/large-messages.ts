import type { WebSocket } from 'ws';
import { SOCKET_CLOSED } from '../../../shared/model/socket.ts';
import type { Slots } from '../../engine/access/slots.ts';

/** A larger message is passed on only with a slot, and what its page sends next only when it is answered. */
export const SMALL_MESSAGE_BYTES = 1024 * 1024;

/** An oRPC message, text or bytes, begins with the id that its answer has; a call is answered always, others never. */
const CALL_ID = /^\{"i":"([\w-]{1,40})","p":/;
const MESSAGE_ID = /^\{"i":"([\w-]{1,40})"/;
const HEAD_BYTES = 64;

/** Bounds the large messages that the engine is given and has not answered yet: each is parsed in one piece there. */
export class LargeMessageGate {
  readonly #socket: WebSocket;
  readonly #slots: Slots;
  readonly #post: (message: Buffer, isBinary: boolean) => void;
  readonly #gone = new AbortController();
  /** What came behind an unanswered one. Beyond SMALL_MESSAGE_BYTES the socket is not read: then its end is seen only by a ping. */
  #held: { message: Buffer; isBinary: boolean }[] = [];
  #heldBytes = 0;
  #unanswered: string | undefined;
  #giveBack = () => {};

  constructor(socket: WebSocket, slots: Slots, post: (message: Buffer, isBinary: boolean) => void) {
    this.#socket = socket;
    this.#slots = slots;
    this.#post = post;
    socket.on('close', () => {
      this.#gone.abort();
      this.#giveBack();
    });
  }

  /** Passes a message on: a small one now, a large one as soon as there is a slot, and what follows it after its answer. */
  take(message: Buffer, isBinary: boolean): void {
    if (this.#unanswered !== undefined) {
      this.#held.push({ message, isBinary });
      this.#heldBytes += message.length;
      if (this.#heldBytes > SMALL_MESSAGE_BYTES) this.#socket.pause();
    } else if (message.length <= SMALL_MESSAGE_BYTES) this.#post(message, isBinary);
    else this.#takeLarge(message, isBinary);
  }

  /** Told of each message of the engine. */
  answered(message: string | Uint8Array): void {
    if (this.#unanswered === undefined || idOf(message, MESSAGE_ID) !== this.#unanswered) return;
    this.#unanswered = undefined;
    this.#giveBack();
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    this.#socket.resume();
    for (const one of held) this.take(one.message, one.isBinary);
  }

  #takeLarge(message: Buffer, isBinary: boolean): void {
    const id = idOf(message, CALL_ID);
    if (id === undefined) {
      this.#socket.close(SOCKET_CLOSED.NO_CALL, 'no call');
      return;
    }
    this.#unanswered = id;
    this.#slot().then(
      giveBack => {
        this.#giveBack = giveBack;
        // It may have closed in the moment between.
        if (this.#gone.signal.aborted) giveBack();
        else this.#post(message, isBinary);
      },
      () => {
        if (this.#gone.signal.aborted) return;
        this.#socket.resume();
        this.#socket.close(SOCKET_CLOSED.BUSY, 'too many large messages at once');
      },
    );
  }

  /** Rejects where the socket closes first, and where too many wait already. */
  async #slot(): Promise<() => void> {
    return await this.#slots.take(this.#gone.signal);
  }
}

function idOf(message: string | Uint8Array, pattern: RegExp): string | undefined {
  const head =
    typeof message === 'string'
      ? message.slice(0, HEAD_BYTES)
      : Buffer.from(message.buffer, message.byteOffset, Math.min(HEAD_BYTES, message.byteLength)).toString(
          'latin1',
        );
  return pattern.exec(head)?.[1];
}
