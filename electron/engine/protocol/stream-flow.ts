/** Sent by a host over the port of a reader that takes its output slowly, and again when the reader has taken it. */
export interface FlowMessage {
  readonly flow: 'pause' | 'resume';
}

/** Head of an oRPC message that is part of a stream. */
const STREAMED = /^\{"i":"[^"]{1,40}","t":3/;
const HEAD_CHARACTERS = 64;

export function isFlowMessage(message: unknown): message is FlowMessage {
  return (
    typeof message === 'object' &&
    message !== null &&
    'flow' in message &&
    (message.flow === 'pause' || message.flow === 'resume')
  );
}

/** Returns whether an oRPC message is part of a stream; otherwise it is the answer to a call. */
export function isStreamed(message: unknown): boolean {
  return typeof message === 'string' && STREAMED.test(message.slice(0, HEAD_CHARACTERS));
}

/**
 * Pauses the streams of one port while its reader is slow. A paused stream holds one message; its producer waits and merges
 * what happens meanwhile, so that memory does not grow with the time of the pause [V2].
 */
export class StreamFlow {
  #pause: PromiseWithResolvers<void> | null = null;

  receive({ flow }: FlowMessage): void {
    if (flow === 'pause') this.#pause ??= Promise.withResolvers();
    else this.end();
  }

  /** Resolves when the reader takes messages; null: it does now. */
  get resumed(): Promise<void> | null {
    return this.#pause?.promise ?? null;
  }

  /** Releases what waits, as when the port has closed. */
  end(): void {
    this.#pause?.resolve();
    this.#pause = null;
  }
}
