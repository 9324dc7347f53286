import { createORPCClient, ORPCError } from '@orpc/client';
import { HOME_CONNECTION } from '../../shared/contract/connections.ts';
import type { Client } from '../../shared/contract/index.ts';
import type { StoreInfo } from '../../shared/contract/live.ts';
import { createEmitter } from '../state/emitter.ts';
import { clientOf } from './client.ts';
import { forgetEngineTime, hearEngineTime } from './engine-clock.ts';
import { closeHomeLine, homeClient, lookFromHome, setHomeLine } from './home-line.ts';
import { beginLiveState, liveState, setLiveState, takeUpdate } from './live-store.ts';
import { declineAll } from './production.ts';
import { Stay } from './stay.ts';
import type { Connect, Connection, Ending } from './transport.ts';

/**
 * The window's life with its engine: connecting, then open, then perhaps lost, connecting again by itself, sooner at
 * first and every few seconds later on. On each new line the live watch starts anew, and its first update holds
 * everything, so nothing that happened in between is missed. Calls made while there is no line fail at once
 * with `NotConnected`: a write must not happen minutes after the person gave up on it.
 *
 * The window is with one connection at a time. Going to another ends the stay: its line closes, what was asked there is
 * refused, and all that was known of that store is forgotten before anything of the next is heard.
 */
const BACKOFF_MS = [250, 500, 1_000, 2_000, 4_000] as const;
const LONGEST_BACKOFF_MS = 5_000;

let stay = new Stay(HOME_CONNECTION);
let dial: (connection: string) => Connect = () => () => Promise.reject(new Error('Not started.'));
const recovered = createEmitter();
const left = createEmitter();

/** Every procedure of the contract, asked of the connection that the window is with. */
export const client: Client = clientOf(
  () => stay,
  () => ({ isConfirmed: false }),
);

/**
 * For several calls that are one act of a person: they all go to the connection where it began, whichever the window is
 * with by then, and production asks about them once.
 */
export function oneAct(): Client {
  const [here, act] = [stay, { isConfirmed: false }];
  return clientOf(
    () => here,
    () => act,
  );
}

/** What is done to connections themselves: asked of home, which knows them all and always answers. */
export function connectionsClient(): Client['connections'] {
  return stay.connection === HOME_CONNECTION ? client.connections : homeClient.connections;
}

/** One question to a store beside the one that the window is with, over a line of its own. */
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

/** Called whenever a line was lost and is back: what was asked before may have changed. */
export const onReconnect: (listener: () => void) => () => void = recovered.subscribe;

/** Called when the window goes to another connection, when nothing of the one before is known any more. */
export const onLeave: (listener: () => void) => () => void = left.subscribe;

/** Do not wait for the next attempt. */
export function reconnectNow(): void {
  stay.wake();
}

/** A mirror says how far behind it is only when it is asked. */
const MIRROR_EVERY_MS = 2_000;

const isStale = (error: unknown) => error instanceof ORPCError && error.code === 'STALE';

/** What one line tells, for as long as the window stays. */
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
        // A mirror whose leader is silent tells nothing [V5]: what is known stays, as of then, until it tells again.
        if (!isCurrent() || !isStale(error)) throw error;
        await new Promise(resolve => setTimeout(resolve, MIRROR_EVERY_MS / 2));
        ({ role } = await askInfo());
      }
    }
  } finally {
    clearInterval(mirror);
  }
  // The engine ended the stream and left the line: begin anew on a new one.
  line.close();
}

function say(why: Ending, retryInMs: number): void {
  const known = liveState().connection;
  const now = Date.now();
  const since = known.is === 'lost' ? known.since : now;
  setLiveState({ connection: { is: 'lost', why, since, retryAt: now + retryInMs } });
}

/** Connects, and stays connected until the window goes elsewhere. */
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
      // At once, before the calls under way are refused: they look whether their line is still the one.
      void line.closed.then(() => {
        if (here.line === line) here.line = null;
      });
      forgetEngineTime();
      const watching = follow(here, line).catch(() => line.close());
      why = await line.closed;
      await watching;
    } catch {
      // It did not open. There is nothing to tell but that.
    }
    if (here.isOver) return;
    // One that opened and told nothing (a token that is refused, a host shutting down) is a failure too.
    failures = liveState().connection.is === 'open' ? 0 : failures + 1;
    const wait = BACKOFF_MS[failures] ?? LONGEST_BACKOFF_MS;
    say(why, wait);
    await here.pause(wait);
  }
}

/** Begins the first stay. `to`: how the host is reached for a connection. */
export function beginSession(to: (connection: string) => Connect, connection: string): void {
  dial = to;
  setHomeLine(to(HOME_CONNECTION));
  stay = new Stay(connection);
  beginLiveState(connection);
  void keepConnected(stay);
  void lookFromHome(stay);
}

/** Goes to another connection. Nothing of this one is on screen from the next render on. */
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
