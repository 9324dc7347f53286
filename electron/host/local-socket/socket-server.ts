import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { MessagePort } from 'node:worker_threads';
import { WebSocketServer } from 'ws';
import { SOCKET_CLOSED } from '../../../shared/model/socket.ts';
import type { Clock } from '../../engine/platform/clock.ts';
import { errorFields, type Logger } from '../../engine/platform/logger.ts';
import { LARGEST_MESSAGE_BYTES, relay } from './message-relay.ts';
import { newDoorPath, removeStaleDoors } from './socket-path.ts';

/** How long a caller has to answer a goodbye. */
const GOODBYE_MS = 500;

export interface DoorNeeds {
  path: string;
  /** Hands a port to the engine, as the person's at this machine. False while there is none. */
  attach(port: MessagePort): boolean;
  clock: Pick<Clock, 'sleep'>;
  log: Logger;
}

/** A path for a door, or undefined where this machine has no place for one; the log says why. */
export function placeForDoor(log: Logger): string | undefined {
  try {
    return newDoorPath();
  } catch (error) {
    log.warn('the command line cannot reach this store while it is open here', errorFields(error));
    return undefined;
  }
}

/**
 * Lets the other processes of this person in: the messages of `/rpc`, relayed undecoded to the engine. The file
 * system's rights are the check, so there is no token. Answers what closes it. Rejects where it cannot listen.
 */
export async function openDoor({ path, attach, clock, log }: DoorNeeds): Promise<AsyncDisposable> {
  await removeStaleDoors();
  const server = createServer((_request, response) => response.writeHead(426).end());
  const sockets = new WebSocketServer({ server, maxPayload: LARGEST_MESSAGE_BYTES });
  sockets.on('error', error => log.warn('the local door failed', { error: error.message }));
  sockets.on('connection', socket => {
    socket.on('error', error => log.debug('a local caller’s socket failed', { error: error.message }));
    relay(socket, { attach, log });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    async [Symbol.asyncDispose]() {
      const gone = [...sockets.clients].map(
        socket => new Promise<void>(resolve => socket.once('close', () => resolve())),
      );
      for (const socket of sockets.clients) socket.close(SOCKET_CLOSED.GOING_AWAY);
      await Promise.race([Promise.all(gone), clock.sleep(GOODBYE_MS)]);
      for (const socket of sockets.clients) socket.terminate();
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      if (process.platform !== 'win32') rmSync(path, { force: true });
    },
  };
}
