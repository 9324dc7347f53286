import type { Server, ServerOptions, ServerResponse } from 'node:http';

/** Limits of one client before its request is complete, and while it does not read its answer. */
export interface ConnectionLimits {
  /** A connection that has not sent the headers of a request within this time is closed. */
  headersWithinMs: number;
  /** Most connections; further ones are closed at once. Each may hold a small body, a socket's buffers and a stream. */
  mostConnections: number;
  /** Longest time in which a reader may read nothing of an answer. */
  unreadAnswerMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersWithinMs: 20_000,
  mostConnections: 1_024,
  unreadAnswerMs: 60_000,
};

/**
 * Options of a server that waits for headers and not for bodies: a data set may take an hour to arrive (see
 * body-chunks.ts).
 */
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

/** Limits only the reading of an answer: the call itself may take longer. */
export function cutWhenUnread(response: ServerResponse, { unreadAnswerMs }: ConnectionLimits): void {
  response.setTimeout(unreadAnswerMs, () => {
    if (response.writableLength > 0) response.destroy();
  });
}
