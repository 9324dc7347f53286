import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { WebSocket } from 'ws';
import { SOCKET_CLOSED } from '../../../shared/model/socket.ts';
import type { Slots } from '../../engine/access/slots.ts';
import type { Logger } from '../../engine/platform/logger.ts';
import { LargeMessageGate } from './large-messages.ts';

/** Largest accepted message: a document of 16 MiB, with room for its JSON escapes. */
export const LARGEST_MESSAGE_BYTES = 48 * 1024 * 1024;
/** Largest output buffer of a slow reader. Live updates have no other back-pressure. */
export const MOST_WAITING_BYTES = 32 * 1024 * 1024;

export interface RelayOptions {
  /** Hands a port to the engine. Returns false while no engine runs. */
  attach(port: MessagePort): boolean;
  log: Logger;
  /** A reader with a larger output buffer is disconnected; MOST_WAITING_BYTES by default. */
  mostWaitingBytes?(): number;
  /** Limits the large messages in the engine at once (large-messages.ts); unlimited by default. */
  largeMessages?: Slots;
}

/**
 * Relays messages between a socket and a port of the engine, undecoded, until either closes. oRPC uses the same encoding
 * on both: strings for JSON, bytes for JSON with a blob.
 */
export function relay(socket: WebSocket, options: RelayOptions): void {
  const { attach, log, mostWaitingBytes = () => MOST_WAITING_BYTES, largeMessages } = options;
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
  near.on('message', (message: string | Uint8Array) => {
    gate?.onAnswer(message);
    if (socket.bufferedAmount === 0 || socket.bufferedAmount <= mostWaitingBytes())
      return socket.send(message);
    log.warn('a client reads too slowly and is disconnected', { waitingBytes: socket.bufferedAmount });
    // A close frame would wait behind the unread output.
    socket.terminate();
  });
  near.on('close', () => socket.close(SOCKET_CLOSED.ENGINE_STOPPED, 'engine stopped'));
}
