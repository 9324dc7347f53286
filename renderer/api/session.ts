import { createORPCClient, ORPCError } from '@orpc/client';
import type { Client } from '../../shared/contract/index.ts';
import type { StoreInfo } from '../../shared/contract/live.ts';
import { forgetEngineTime, hearEngineTime } from './engine-clock.ts';
import { liveState, setLiveState, takeUpdate } from './live-store.ts';
import type { Connect, Connection, Ending, Link } from './transport.ts';

/**
 * The window's life with its engine: connecting, then open, then perhaps lost, connecting again by itself, sooner at
 * first and every few seconds later on. On each new connection the live watch starts anew, and its first update holds
 * everything, so nothing that happened in between is missed. Calls made while there is no connection fail at once
 * with `NotConnected`: a write must not happen minutes after the person gave up on it.
 */
const BACKOFF_MS = [250, 500, 1_000, 2_000, 4_000] as const;
const LONGEST_BACKOFF_MS = 5_000;

export class NotConnected extends Error {
  /** `asked`: the call had left, so that nobody here knows whether it was done. */
  constructor(asked: boolean) {
    super(
      asked
        ? 'The engine stopped before it answered: this may have been done or not. Look once it is back.'
        : 'The engine stopped or cannot be reached. Nothing was changed; this window reconnects by itself.',
    );
    this.name = 'NotConnected';
  }
}

let current: Connection | null = null;
let retryNow: () => void = () => {};
const recovered = new Set<() => void>();

const currentLink: Link = {
  async call(path, input, options) {
    if (current === null) throw new NotConnected(false);
    const connection = current;
    try {
      return await connection.link.call(path, input, options);
    } catch (cause) {
      // The socket's own message says nothing to a person.
      if (current !== connection) throw new NotConnected(true);
      throw cause;
    }
  },
};

/** Every procedure of the contract, over whichever connection there is. */
export const client: Client = createORPCClient(currentLink);

/** Called whenever a connection was lost and is back: what was asked before may have changed. */
export function onReconnect(listener: () => void): () => void {
  recovered.add(listener);
  return () => recovered.delete(listener);
}

/** Do not wait for the next attempt. */
export function reconnectNow(): void {
  retryNow();
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms);
    retryNow = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

/** A mirror says how far behind it is only when it is asked. */
const MIRROR_EVERY_MS = 2_000;

async function askInfo(): Promise<StoreInfo> {
  const info = await client.store.info();
  hearEngineTime(info.now);
  setLiveState({ store: info });
  return info;
}

const isStale = (error: unknown) => error instanceof ORPCError && error.code === 'STALE';

/** A mirror whose leader is silent tells nothing [V5]: what is known stays, as of then, until it tells again. */
async function follow(connection: Connection): Promise<void> {
  let { role } = await askInfo();
  let over = false;
  void connection.closed.then(() => {
    over = true;
  });
  const mirror = setInterval(() => {
    if (role === 'follower' && !over) void askInfo().catch(() => {});
  }, MIRROR_EVERY_MS);
  try {
    for (;;) {
      try {
        await watch();
        break;
      } catch (error) {
        if (over || !isStale(error)) throw error;
        await new Promise(resolve => setTimeout(resolve, MIRROR_EVERY_MS / 2));
        ({ role } = await askInfo());
      }
    }
  } finally {
    clearInterval(mirror);
  }
  // The engine ended the stream and left the connection: begin anew on a new one.
  connection.close();
}

async function watch(): Promise<void> {
  const wasLost = liveState().connection.is === 'lost';
  for await (const update of await client.live.watch()) {
    hearEngineTime(update.now);
    takeUpdate(update);
    if (update.first) {
      setLiveState({ connection: { is: 'open' } });
      if (wasLost) for (const listener of recovered) listener();
    }
  }
}

function say(why: Ending, retryInMs: number): void {
  const known = liveState().connection;
  const now = Date.now();
  const since = known.is === 'lost' ? known.since : now;
  setLiveState({ connection: { is: 'lost', why, since, retryAt: now + retryInMs } });
}

/** Connects, and stays connected until the page is gone. */
export async function keepConnected(connect: Connect): Promise<never> {
  for (let failures = 0; ; ) {
    let why: Ending = 'gone';
    try {
      const connection = await connect();
      current = connection;
      // At once, before the calls under way are refused: they look whether their connection is still the one.
      void connection.closed.then(() => {
        current = null;
      });
      forgetEngineTime();
      const watching = follow(connection).catch(() => connection.close());
      why = await connection.closed;
      await watching;
    } catch {
      // It did not open. There is nothing to tell but that.
    }
    // One that opened and told nothing (a token that is refused, a host shutting down) is a failure too.
    failures = liveState().connection.is === 'open' ? 0 : failures + 1;
    const wait = BACKOFF_MS[failures] ?? LONGEST_BACKOFF_MS;
    say(why, wait);
    await pause(wait);
  }
}
