import type { MessagePort } from 'node:worker_threads';
import { ServerPeer, type ServerPeerHandleRequestFn } from '@orpc/standard-server-peer';
import { isFlowMessage, isStreamed, StreamFlow } from './stream-flow.ts';

/**
 * Answers the calls of a port until it closes. Messages come from a page and are not decoded by a host: a message that
 * is not a call closes its own port only. Streams wait while the host reports a slow reader. `onArrival` is called
 * before each message.
 */
export function answerCalls(
  port: MessagePort,
  handle: ServerPeerHandleRequestFn,
  onArrival: () => void,
  onNonsense: (error: unknown) => void,
): void {
  const flow = new StreamFlow();
  const peer = new ServerPeer(async message => {
    if (isStreamed(message)) await flow.resumed;
    port.postMessage(message);
  });
  port.on('message', (message: unknown) => {
    onArrival();
    if (isFlowMessage(message)) return flow.receive(message);
    const call = typeof message === 'string' || message instanceof Uint8Array ? message : '';
    peer.message(call, handle).catch((error: unknown) => {
      onNonsense(error);
      port.close();
    });
  });
  port.on('close', () => {
    peer.close();
    flow.end();
  });
  port.start();
}
