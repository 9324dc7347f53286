import { createORPCClient, ORPCError } from '@orpc/client';
import { HOME_CONNECTION } from '../../shared/contract/connections.ts';
import type { Client } from '../../shared/contract/index.ts';
import type { StoreInfo } from '../../shared/contract/live.ts';
import { createEmitter } from '../state/emitter.ts';
import { clientOf } from './client.ts';
import { forgetEngineTime, hearEngineTime } from './engine-clock.ts';
import { closeHomeLine, homeClient, lookFromHome, setHomeLine } from './home-session.ts';
import { beginLiveState, liveState, setLiveState, takeUpdate } from './live-store.ts';
import { declineAll } from './production.ts';
import { Stay } from './store-session.ts';
import type { Connect, Connection, Ending } from './transport.ts';

/**
 * Connects the window to its engine: connecting, open, lost. Reconnects by itself, at first at once and later every
 * few seconds. Each new connection starts the live watch again; its first update is complete, so no change is missed.
 * Calls without a connection fail at once with `NotConnected`: a write must not happen minutes after a person gave up
 * on it.
 *
 * The window is with one connection at a time. Changing connections ends the session: its transport closes, its calls
 * are refused, and the state of its store is dropped before the next one is read.
 */
const BACKOFF_MS = [250, 500, 1_000, 2_000, 4_000] as const;
const LONGEST_BACKOFF_MS = 5_000;

let stay = new Stay(HOME_CONNECTION);
let dial: (connection: string) => Connect = () => () => Promise.reject(new Error('Not started.'));
const recovered = createEmitter();
const left = createEmitter();

/** Calls procedures on the current connection. */
export const client: Client = clientOf(
  () => stay,
  () => ({ isConfirmed: false }),
);

/**
 * Runs several calls as one action: all on the connection where it began, also after the window changed connections,
 * and with one confirmation for production.
 */
export function oneAct(): Client {
  const [here, act] = [stay, { isConfirmed: false }];
  return clientOf(
    () => here,
    () => act,
  );
}

/** Calls about connections, which home answers. */
export function connectionsClient(): Client['connections'] {
  return stay.connection === HOME_CONNECTION ? client.connections : homeClient.connections;
}

/** Makes one call to another store, over a connection of its own. */
export async function askStore<Answer>(
  connection: string,
  ask: (store: Client) => Promise<Answer>,
): Promise<Answer> {
  const line = await dial(connection)();
  try {
    return await ask(createORPCClient(line.link));
  } finally {
    line.close();
  }
}

/** Called after a lost connection is restored: former answers may be outdated. */
export const onReconnect: (listener: () => void) => () => void = recovered.subscribe;

/** Called after the window changed connections and dropped the former state. */
export const onLeave: (listener: () => void) => () => void = left.subscribe;

/** Skips the delay before the next attempt. */
export function reconnectNow(): void {
  stay.wake();
}

/** Interval of status reads from a follower, which does not report its lag by itself, ms. */
const MIRROR_EVERY_MS = 2_000;

const isStale = (error: unknown) => error instanceof ORPCError && error.code === 'STALE';

/** Follows the live state of one connection during the session. */
async function follow(here: Stay, line: Connection): Promise<void> {
  const ask: Client = createORPCClient(line.link);
  const isCurrent = () => here.line === line && !here.isOver;

  async function askInfo(): Promise<StoreInfo> {
    const info = await ask.store.info();
    if (isCurrent()) {
      hearEngineTime(info.now);
      setLiveState({ store: info });
    }
    return info;
  }
  async function watch(): Promise<void> {
    const wasLost = liveState().connection.is === 'lost';
    for await (const update of await ask.live.watch()) {
      if (!isCurrent()) return;
      hearEngineTime(update.now);
      takeUpdate(update);
      if (update.first) {
        setLiveState({ connection: { is: 'open' } });
        if (wasLost) recovered.emit();
      }
    }
  }

  let { role } = await askInfo();
  const mirror = setInterval(() => {
    if (role === 'follower' && isCurrent()) void askInfo().catch(() => {});
  }, MIRROR_EVERY_MS);
  try {
    for (;;) {
      try {
        await watch();
        break;
      } catch (error) {
        // A follower whose leader is silent sends no updates [V5]: the state stays as of its last one.
        if (!isCurrent() || !isStale(error)) throw error;
        await new Promise(resolve => setTimeout(resolve, MIRROR_EVERY_MS / 2));
        ({ role } = await askInfo());
      }
    }
  } finally {
    clearInterval(mirror);
  }
  // The engine ended the stream and kept the connection: opens a new one.
  line.close();
}

function say(why: Ending, retryInMs: number): void {
  const known = liveState().connection;
  const now = Date.now();
  const since = known.is === 'lost' ? known.since : now;
  setLiveState({ connection: { is: 'lost', why, since, retryAt: now + retryInMs } });
}

/** Connects and reconnects until the session ends. */
async function keepConnected(here: Stay): Promise<void> {
  const connect = dial(here.connection);
  for (let failures = 0; !here.isOver; ) {
    let why: Ending = 'gone';
    try {
      const line = await connect();
      if (here.isOver) {
        line.close();
        return;
      }
      here.line = line;
      // Before pending calls are refused, because they compare their transport with the current one.
      void line.closed.then(() => {
        if (here.line === line) here.line = null;
      });
      forgetEngineTime();
      const watching = follow(here, line).catch(() => line.close());
      why = await line.closed;
      await watching;
    } catch {
      // The connection failed to open.
    }
    if (here.isOver) return;
    // A connection that sends no update (refused token, host shutting down) counts as a failure too.
    failures = liveState().connection.is === 'open' ? 0 : failures + 1;
    const wait = BACKOFF_MS[failures] ?? LONGEST_BACKOFF_MS;
    say(why, wait);
    await here.pause(wait);
  }
}

/** Starts the first session. `to`: opens a transport to a connection. */
export function beginSession(to: (connection: string) => Connect, connection: string): void {
  dial = to;
  setHomeLine(to(HOME_CONNECTION));
  stay = new Stay(connection);
  beginLiveState(connection);
  void keepConnected(stay);
  void lookFromHome(stay);
}

/** Changes connections. From the next render on nothing of the former one is shown. */
export function goToConnection(connection: string): void {
  if (connection === stay.connection) return;
  stay.leave();
  stay = new Stay(connection);
  forgetEngineTime();
  beginLiveState(connection);
  declineAll();
  left.emit();
  if (connection === HOME_CONNECTION) closeHomeLine();
  void keepConnected(stay);
  void lookFromHome(stay);
}
