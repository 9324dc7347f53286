import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { RPCHandler } from '@orpc/server/message-port';
import type { Context } from '../../electron/engine/api/context.ts';
import { router } from '../../electron/engine/api/router.ts';
import type { Client } from '../../shared/contract/index.ts';

/** Returns a client on one end of a message port. */
export function clientOn(port: MessagePort): Client {
  port.start();
  return createORPCClient(new RPCLink({ port }));
}

/** Returns a client of an engine of this thread, over a real port and the real router. */
export function clientOf(context: Context): { client: Client; close(): void } {
  const { port1, port2 } = new MessageChannel();
  new RPCHandler(router).upgrade(port2, { context });
  port2.start();
  return { client: clientOn(port1), close: () => port1.close() };
}
