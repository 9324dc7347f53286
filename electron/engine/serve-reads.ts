import type { MessagePort } from 'node:worker_threads';
import { StandardRPCHandler } from '@orpc/server/standard';
import { createServerPeerHandleRequestFn } from '@orpc/server/standard-peer';
import { ServerPeer } from '@orpc/standard-server-peer';
import { directReads, type ReaderContext } from './api/direct/direct-reads.ts';
import type { ReaderAccess } from './backends/backend.ts';
import type { EmbeddedReads } from './backends/embedded/embedded-reads.ts';
import { systemClock } from './platform/clock.ts';
import { createLogger, errorFields } from './platform/logger.ts';
import { ReaderClock } from './platform/reader-clock.ts';
import type { FromReader } from './protocol/direct-calls.ts';
import { SharedClockState, SharedFlag } from './protocol/shared-flags.ts';

const handler = new StandardRPCHandler(directReads, {});

/**
 * Answers the calls of a port on the reader thread until it closes. Each answer is read from a snapshot that begins after the
 * call arrived, so that it has every write that was acknowledged before. A call is declined while the trusted time is
 * known to the engine's thread only, and the port of a revoked token is closed [P1].
 */
export function serveReads(
  reads: EmbeddedReads,
  port: MessagePort,
  { caller, revoked, clockState, logLevel }: ReaderAccess,
  onCommit: (listener: () => void) => () => void,
): void {
  const log = createLogger(logLevel, systemClock.now);
  const isRevoked = new SharedFlag(revoked);
  const clock = new ReaderClock(systemClock, new SharedClockState(clockState), () => reads.clockJumpMs);
  const store: ReaderContext['store'] = {
    reads,
    clock: systemClock,
    get revision() {
      return reads.revision;
    },
    checkCollection: name => reads.checkCollection(name),
    hasCollection: name => reads.hasCollection(name),
    onCommit,
    document: (query, now) => reads.document(query, now),
  };
  const send = (message: FromReader) => port.postMessage(message);
  const peer = new ServerPeer(message => {
    if (!isRevoked.isSet) port.postMessage(message);
  });
  port.on('message', (message: unknown) => {
    if (typeof message !== 'string' || isRevoked.isSet) return port.close();
    const now = clock.now();
    if (now === null) return send({ reader: 'declined', call: message });
    const context: ReaderContext = { store, now, caller, log };
    peer.message(message, createServerPeerHandleRequestFn(handler, { context })).catch((error: unknown) => {
      log.warn('a port sent an invalid message and was closed', errorFields(error));
      port.close();
    });
  });
  port.on('close', () => peer.close());
  port.start();
  send({ reader: 'ready' });
}
