import { createORPCClient, ORPCError } from '@orpc/client';
import { HOME_CONNECTION } from '../../shared/contract/connections.ts';
import type { Client } from '../../shared/contract/index.ts';
import type { StoreInfo } from '../../shared/contract/live.ts';
import { createEmitter } from '../state/emitter.ts';
import { everyWhileVisible } from '../state/while-visible.ts';
import { clientOf } from './client.ts';
import { declineAll } from './confirm-production-write.ts';
import { clearEngineTime, recordEngineTime } from './engine-clock.ts';
import { closeHomeSession, homeClient, pollFromHome, setHomeTransport } from './home-session.ts';
import { beginLiveState, liveState, receiveUpdate, setLiveState } from './live-store.ts';
import { StoreSession } from './store-session.ts';
import type { EndReason, OpenTransport, Transport } from './transport.ts';

/**
 * Connects the window to its engine: connecting, open, lost. Reconnects by itself, at first at once and later every few
 * seconds. Each new connection starts the live watch again; its first update is complete, so no change is missed. Calls
 * without a connection fail at once with `NotConnected`: a write must not happen minutes after a person gave up on it.
 *
 * The window uses one connection at a time. Changing connections ends the session: its transport closes, its calls are
 * refused, and the state of its store is dropped before the next one is read.
 */
const BACKOFF_MS = [250, 500, 1_000, 2_000, 4_000] as const;
const LONGEST_BACKOFF_MS = 5_000;

let session = new StoreSession(HOME_CONNECTION);
let transportTo: (connection: string) => OpenTransport = () => () =>
  Promise.reject(new Error('Not started.'));
const reconnected = createEmitter();
const connectionChanged = createEmitter();

/** Calls procedures on the current connection. */
export const client: Client = clientOf(
  () => session,
  () => ({ isConfirmed: false }),
);

/**
 * Runs several calls as one action: all on the connection where it began, also after the window changed connections,
 * and with one confirmation for production. `isEffectConfirmed`: the person confirmed the effect of all calls [R8].
 */
export function oneAction({ isEffectConfirmed = false } = {}): Client {
  const [here, action] = [session, { isConfirmed: false, isEffectConfirmed }];
  return clientOf(
    () => here,
    () => action,
  );
}

/** Calls about connections, sent to the home connection. */
export function connectionsClient(): Client['connections'] {
  return session.connection === HOME_CONNECTION ? client.connections : homeClient.connections;
}

/** Makes one call to another store, over a connection of its own. */
export async function callStore<Answer>(
  connection: string,
  call: (store: Client) => Promise<Answer>,
): Promise<Answer> {
  const transport = await transportTo(connection)();
  try {
    return await call(createORPCClient(transport.link));
  } finally {
    transport.close();
  }
}

/** Called after a lost connection is restored: former answers may be outdated. */
export const onReconnect: (listener: () => void) => () => void = reconnected.subscribe;

/** Called after the window changed connections and dropped the former state. */
export const onConnectionChange: (listener: () => void) => () => void = connectionChanged.subscribe;

/** Skips the delay before the next attempt. */
export function reconnectNow(): void {
  session.wake();
}

/** Interval of status reads from a follower, which does not report its lag by itself, ms. */
const FOLLOWER_STATUS_MS = 2_000;

const isStale = (error: unknown) => error instanceof ORPCError && error.code === 'STALE';

/** Follows the live state of one connection during the session. */
async function follow(here: StoreSession, transport: Transport): Promise<void> {
  const calls: Client = createORPCClient(transport.link);
  const isCurrent = () => here.transport === transport && !here.hasEnded;

  async function askInfo(): Promise<StoreInfo> {
    const info = await calls.store.info();
    if (isCurrent()) {
      recordEngineTime(info.now);
      setLiveState({ store: info });
    }
    return info;
  }
  async function watch(): Promise<void> {
    const wasLost = liveState().connection.is === 'lost';
    for await (const update of await calls.live.watch()) {
      if (!isCurrent()) return;
      recordEngineTime(update.now);
      receiveUpdate(update);
      if (update.first) {
        setLiveState({ connection: { is: 'open' } });
        if (wasLost) reconnected.emit();
      }
    }
  }

  let { role } = await askInfo();
  const stopStatus = everyWhileVisible(FOLLOWER_STATUS_MS, () => {
    if (role === 'follower' && isCurrent()) void askInfo().catch(() => {});
  });
  try {
    for (;;) {
      try {
        await watch();
        break;
      } catch (error) {
        // A follower whose leader is silent sends no updates [V5]: the state stays as of its last one.
        if (!isCurrent() || !isStale(error)) throw error;
        await new Promise(resolve => setTimeout(resolve, FOLLOWER_STATUS_MS / 2));
        ({ role } = await askInfo());
      }
    }
  } finally {
    stopStatus();
  }
  // The engine ended the stream and kept the connection: opens a new one.
  transport.close();
}

function setLost(why: EndReason, retryInMs: number): void {
  const known = liveState().connection;
  const now = Date.now();
  const since = known.is === 'lost' ? known.since : now;
  setLiveState({ connection: { is: 'lost', why, since, retryAt: now + retryInMs } });
}

/** Connects and reconnects until the session ends. */
async function keepConnected(here: StoreSession): Promise<void> {
  const connect = transportTo(here.connection);
  for (let failures = 0; !here.hasEnded; ) {
    let why: EndReason = 'gone';
    try {
      const transport = await connect();
      if (here.hasEnded) {
        transport.close();
        return;
      }
      here.transport = transport;
      // Subscribed first: the transport must be null before pending calls are refused, because they compare theirs with
      // it.
      void transport.closed.then(() => {
        if (here.transport === transport) here.transport = null;
      });
      clearEngineTime();
      const watching = follow(here, transport).catch(() => transport.close());
      why = await transport.closed;
      await watching;
    } catch {
      // The connection failed to open.
    }
    if (here.hasEnded) return;
    // A connection that sends no update (refused token, host shutting down) counts as a failure too.
    failures = liveState().connection.is === 'open' ? 0 : failures + 1;
    const wait = BACKOFF_MS[failures] ?? LONGEST_BACKOFF_MS;
    setLost(why, wait);
    await here.pause(wait);
  }
}

/** Starts the first session. `to`: opens a transport to a connection. */
export function beginSession(to: (connection: string) => OpenTransport, connection: string): void {
  transportTo = to;
  setHomeTransport(to(HOME_CONNECTION));
  session = new StoreSession(connection);
  beginLiveState(connection);
  void keepConnected(session);
  void pollFromHome(session);
}

/** Changes connections. From the next render on, nothing of the former connection is shown. */
export function goToConnection(connection: string): void {
  if (connection === session.connection) return;
  session.end();
  session = new StoreSession(connection);
  clearEngineTime();
  beginLiveState(connection);
  declineAll();
  connectionChanged.emit();
  if (connection === HOME_CONNECTION) closeHomeSession();
  void keepConnected(session);
  void pollFromHome(session);
}
