import type { MessagePort } from 'node:worker_threads';
import { isReadReceipt } from '../../shared/model/transport/desktop-ports.ts';
import type { FlowMessage } from '../engine/protocol/stream-flow.ts';

/** Streams of a page are paused when it has this many unread messages, and resumed when it has read all of them. */
const MOST_UNREAD = 64;

/** The part of Electron's MessagePortMain that a relay uses. */
export interface PagePort {
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  postMessage(message: unknown): void;
  start(): void;
  close(): void;
}

/**
 * Relays encoded messages until either port closes: a port of Electron cannot be transferred to a thread. A port does
 * not report its number of queued messages, so the page confirms each message that it has read, and the engine pauses
 * the streams of a page that has stopped reading (stream-flow.ts).
 */
export function relayToPage(page: PagePort, engine: MessagePort): void {
  let unread = 0;
  let isPaused = false;
  const send = (flow: FlowMessage['flow']) => {
    isPaused = flow === 'pause';
    engine.postMessage({ flow } satisfies FlowMessage);
  };
  page.on('message', ({ data }) => {
    if (!isReadReceipt(data)) return engine.postMessage(data);
    unread = Math.max(0, unread - 1);
    if (isPaused && unread === 0) send('resume');
  });
  engine.on('message', message => {
    page.postMessage(message);
    unread += 1;
    if (!isPaused && unread >= MOST_UNREAD) send('pause');
  });
  page.on('close', () => engine.close());
  engine.on('close', () => page.close());
  page.start();
}
