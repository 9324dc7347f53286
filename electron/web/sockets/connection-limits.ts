import type { Server, ServerOptions, ServerResponse } from 'node:http';

/** Limits of one client before its request is complete, and while it does not read its answer. */
export interface ConnectionLimits {
  /** A connection that has not sent the headers of a request by then is closed. */
  headersWithinMs: number;
  /** More are closed at once: each may hold a small body, a socket's buffers and a stream. */
  mostConnections: number;
  /** How long an answer may wait for a reader that takes nothing of it. */
  unreadAnswerMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersWithinMs: 20_000,
  mostConnections: 1_024,
  unreadAnswerMs: 60_000,
};

/** Options of a server that waits for headers and not for bodies: a data set may take an hour to arrive (see body-chunks.ts). */
export function headerTimeout({ headersWithinMs }: ConnectionLimits): ServerOptions {
  return {
    requestTimeout: 0,
    headersTimeout: headersWithinMs,
    connectionsCheckingInterval: headersWithinMs / 2,
  };
}

export function limitConnections(server: Server, { mostConnections }: ConnectionLimits): void {
  server.maxConnections = mostConnections;
}

/** A call may take longer than this to be answered; its answer may not take longer to be read. */
export function cutWhenUnread(response: ServerResponse, { unreadAnswerMs }: ConnectionLimits): void {
  response.setTimeout(unreadAnswerMs, () => {
    if (response.writableLength > 0) response.destroy();
  });
}
