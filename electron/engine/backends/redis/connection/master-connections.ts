import type { Master, MastersOptions } from './masters.ts';
import { RedisConnection } from './redis-connection.ts';
import type { ServerTarget } from './redis-uri.ts';

/** Starts the three connections to a master. */
export function connectMaster(
  address: string,
  target: ServerTarget,
  { log, network }: MastersOptions,
): Master {
  const connect = (purpose: string) =>
    RedisConnection.start({ target, log, network, name: `sandglass-${purpose}` });
  return {
    address,
    commands: connect('commands'),
    reading: connect('scan'),
    events: connect('notifications'),
  };
}

export function connectionsOf({ commands, reading, events }: Master): readonly RedisConnection[] {
  return [commands, reading, events];
}

/** Resolves when the connection can be used, or the signal aborts. */
export function untilReady(connection: RedisConnection, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      stop();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const stop = connection.onReady(done);
    signal.addEventListener('abort', done);
    if (signal.aborted || connection.isReady) done();
  });
}
