import type { WebSocket } from 'ws';
import { SOCKET_CLOSED } from '../../../shared/model/socket.ts';
import type { Slots } from '../../engine/access/slots.ts';

/** A larger message needs a slot, and the messages behind it wait for its answer. Bytes. */
export const SMALL_MESSAGE_BYTES = 1024 * 1024;

/** An oRPC message, text or bytes, begins with the id of its answer. Calls are always answered, other messages never. */
const CALL_ID = /^\{"i":"([\w-]{1,40})","p":/;
const MESSAGE_ID = /^\{"i":"([\w-]{1,40})"/;
const HEAD_BYTES = 64;

/** Limits the large messages in the engine that have no answer yet: each is parsed there in one piece. */
export class LargeMessageGate {
  readonly #socket: WebSocket;
  readonly #slots: Slots;
  readonly #post: (message: Buffer, isBinary: boolean) => void;
  readonly #closed = new AbortController();
  /** Messages behind the unanswered one. Beyond SMALL_MESSAGE_BYTES the socket is paused, and only a ping detects its end. */
  #held: { message: Buffer; isBinary: boolean }[] = [];
  #heldBytes = 0;
  #unanswered: string | undefined;
  #release = () => {};

  constructor(socket: WebSocket, slots: Slots, post: (message: Buffer, isBinary: boolean) => void) {
    this.#socket = socket;
    this.#slots = slots;
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

  /** Called with each message of the engine, to detect the answer that is waited for. */
  onAnswer(message: string | Uint8Array): void {
    if (this.#unanswered === undefined || idOf(message, MESSAGE_ID) !== this.#unanswered) return;
    this.#unanswered = undefined;
    this.#release();
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    this.#socket.resume();
    for (const one of held) this.receive(one.message, one.isBinary);
  }

  #receiveLarge(message: Buffer, isBinary: boolean): void {
    const id = idOf(message, CALL_ID);
    if (id === undefined) {
      this.#socket.close(SOCKET_CLOSED.NO_CALL, 'no call');
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

  /** Rejects where the socket closes first, and with BUSY where too many wait already. */
  async #slot(): Promise<() => void> {
    return await this.#slots.take(this.#closed.signal);
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
