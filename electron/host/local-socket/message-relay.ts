import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { WebSocket } from 'ws';
import { SOCKET_CLOSED } from '../../../shared/model/transport/window-socket.ts';
import type { Logger } from '../../engine/platform/logger.ts';
import type { FlowMessage } from '../../engine/protocol/stream-flow.ts';
import { LargeMessageGate, type LargeMessageOptions } from './large-messages.ts';

/** Largest accepted message: a document of 16 MiB, with room for its JSON escapes. */
export const LARGEST_MESSAGE_BYTES = 48 * 1024 * 1024;
/** Largest output buffer of a slow reader. It contains answers only, since streams are paused earlier. */
export const MOST_WAITING_BYTES = 32 * 1024 * 1024;
/** The streams of a reader are paused while its output buffer is larger than this, and resumed when it is empty. */
const PAUSED_FROM_BYTES = 256 * 1024;

export interface RelayOptions {
  /** Passes a port to the engine. Returns false while no engine runs. */
  attach(port: MessagePort): boolean;
  /** True if the port belongs to an engine, which pauses the streams of a slow reader (stream-flow.ts). */
  pausesStreams?: boolean;
  log: Logger;
  /** A reader with a larger output buffer is disconnected; MOST_WAITING_BYTES by default. */
  mostWaitingBytes?(): number;
  /** Limits the large messages in the engine (large-messages.ts); unlimited by default. */
  largeMessages?: LargeMessageOptions;
}

/**
 * Relays messages between a socket and a port of the engine, undecoded, until either closes. oRPC uses the same
 * encoding on both: strings for JSON, bytes for JSON with a blob.
 */
export function relay(socket: WebSocket, options: RelayOptions): void {
  const { attach, pausesStreams, log, mostWaitingBytes = () => MOST_WAITING_BYTES, largeMessages } = options;
  const { port1: near, port2: far } = new MessageChannel();
  if (!attach(far)) {
    socket.close(SOCKET_CLOSED.ENGINE_STOPPED, 'engine stopped');
    return;
  }
  const post = (message: Buffer, isBinary: boolean) =>
    near.postMessage(isBinary ? new Uint8Array(message) : message.toString('utf8'));
  const gate = largeMessages === undefined ? undefined : new LargeMessageGate(socket, largeMessages, post);
  socket.on('message', (message: Buffer, isBinary: boolean) => {
    if (gate === undefined) post(message, isBinary);
    else gate.receive(message, isBinary);
  });
  socket.on('close', () => near.close());
  let isPaused = false;
  const send = (flow: FlowMessage['flow']) => {
    isPaused = flow === 'pause';
    near.postMessage({ flow } satisfies FlowMessage);
  };
  const onSent = () => {
    if (isPaused && socket.bufferedAmount === 0) send('resume');
  };
  near.on('message', (message: string | Uint8Array) => {
    gate?.onAnswer(message);
    if (socket.bufferedAmount === 0 || socket.bufferedAmount <= mostWaitingBytes()) {
      socket.send(message, onSent);
      if (pausesStreams === true && !isPaused && socket.bufferedAmount > PAUSED_FROM_BYTES) send('pause');
      return;
    }
    log.warn('a client reads too slowly and is disconnected', { waitingBytes: socket.bufferedAmount });
    // A close frame would be sent only after the unread output.
    socket.terminate();
  });
  near.on('close', () => socket.close(SOCKET_CLOSED.ENGINE_STOPPED, 'engine stopped'));
}
