import type { MessagePort } from 'node:worker_threads';
import { ServerPeer, type ServerPeerHandleRequestFn } from '@orpc/standard-server-peer';

/**
 * Answers calls that arrive on a port, until it closes. What arrives comes from a page, undecoded by any host: a
 * message that is no call closes its port and troubles nobody else. `onArrival` is told of each message first.
 */
export function answerCalls(
  port: MessagePort,
  handle: ServerPeerHandleRequestFn,
  onArrival: () => void,
  onNonsense: (error: unknown) => void,
): void {
  const peer = new ServerPeer(message => port.postMessage(message));
  port.on('message', (message: unknown) => {
    onArrival();
    const call = typeof message === 'string' || message instanceof Uint8Array ? message : '';
    peer.message(call, handle).catch((error: unknown) => {
      onNonsense(error);
      port.close();
    });
  });
  port.on('close', () => peer.close());
  port.start();
}
