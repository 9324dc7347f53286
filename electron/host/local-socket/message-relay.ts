import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { WebSocket } from 'ws';
import { SOCKET_CLOSED } from '../../../shared/model/socket.ts';
import type { Slots } from '../../engine/access/slots.ts';
import type { Logger } from '../../engine/platform/logger.ts';
import { LargeMessageGate } from './large-messages.ts';

/** The largest message taken: a document of 16 MiB, with room for its escapes. */
export const LARGEST_MESSAGE_BYTES = 48 * 1024 * 1024;
/** What may wait for a reader that is slow; live updates have no other brake. */
export const MOST_WAITING_BYTES = 32 * 1024 * 1024;

export interface RelayNeeds {
  /** Hands a port to the engine, for whoever speaks on it. False while there is none. */
  attach(port: MessagePort): boolean;
  log: Logger;
  /** A reader is dropped when more than this waits for it. */
  mostWaitingBytes?(): number;
  /** How many messages that are not small (large-messages.ts) the engine has at once; without it as many as come. */
  largeMessages?: Slots;
}

/**
 * Passes messages between a socket and a port of the engine, undecoded, until either closes. Text stays text: oRPC
 * writes the same words on both, strings for JSON and bytes for JSON with a blob.
 */
export function relay(socket: WebSocket, needs: RelayNeeds): void {
  const { attach, log, mostWaitingBytes = () => MOST_WAITING_BYTES, largeMessages } = needs;
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
    else gate.take(message, isBinary);
  });
  socket.on('close', () => near.close());
  near.on('message', (message: string | Uint8Array) => {
    gate?.answered(message);
    if (socket.bufferedAmount === 0 || socket.bufferedAmount <= mostWaitingBytes())
      return socket.send(message);
    log.warn('a page reads too slowly and is dropped', { waitingBytes: socket.bufferedAmount });
    // Without a goodbye, which would wait behind all that it does not read.
    socket.terminate();
  });
  near.on('close', () => socket.close(SOCKET_CLOSED.ENGINE_STOPPED, 'engine stopped'));
}
