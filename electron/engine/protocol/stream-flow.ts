/** Message of a host over the port of a slow reader: `pause`, and `resume` when the reader has read its output. */
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
 * Pauses the streams of one port while its reader is slow. A paused stream holds one message; its producer waits, and
 * merges later changes, so that memory does not grow during the pause [V2].
 */
export class StreamFlow {
  #pause: PromiseWithResolvers<void> | null = null;

  receive({ flow }: FlowMessage): void {
    if (flow === 'pause') this.#pause ??= Promise.withResolvers();
    else this.end();
  }

  /** Resolves when the reader takes messages again; null if it is not paused. */
  get resumed(): Promise<void> | null {
    return this.#pause?.promise ?? null;
  }

  /** Resumes paused streams, also when the port has closed. */
  end(): void {
    this.#pause?.resolve();
    this.#pause = null;
  }
}
