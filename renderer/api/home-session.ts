import { createORPCClient } from '@orpc/client';
import { HOME_CONNECTION } from '../../shared/contract/connections.ts';
import type { Client } from '../../shared/contract/index.ts';
import { liveState, setLiveState } from './live-store.ts';
import type { Stay } from './store-session.ts';
import type { Connect, Connection, Link } from './transport.ts';

/**
 * A second session with the home connection. While the window is on another connection, calls that change connections
 * use it, and it reports the state of the other one. Opened when first needed, closed when the window returns to
 * home.
 */
let opening: Promise<Connection> | null = null;
let connectHome: Connect = () => Promise.reject(new Error('Not started.'));

/** Called once, before any call. */
export function setHomeLine(connect: Connect): void {
  connectHome = connect;
}

function homeLine(): Promise<Connection> {
  if (opening !== null) return opening;
  const line = connectHome();
  opening = line;
  const forget = () => {
    if (opening === line) opening = null;
  };
  line.then(({ closed }) => closed).then(forget, forget);
  return line;
}

export function closeHomeLine(): void {
  void opening?.then(
    line => line.close(),
    () => {},
  );
  opening = null;
}

const link: Link = {
  call: async (path, input, options) => (await homeLine()).link.call(path, input, options),
};
export const homeClient: Client = createORPCClient(link);

/** The session of an open connection reports its state itself. */
const FIRST_LOOK_MS = 300;
const LOOK_EVERY_MS = 1_000;

/** Reads the state of a connection from home while its own session is not open. */
export async function lookFromHome(here: Stay): Promise<void> {
  if (here.connection === HOME_CONNECTION) return;
  for (let wait = FIRST_LOOK_MS; !here.isOver; wait = LOOK_EVERY_MS) {
    await new Promise(resolve => setTimeout(resolve, wait));
    if (here.isOver || isOpen()) continue;
    try {
      const connections = await homeClient.connections.list();
      if (here.isOver || isOpen()) continue;
      const wasOpen = isListedOpen(here.connection);
      setLiveState({ connections });
      if (!wasOpen && isListedOpen(here.connection)) here.wake();
    } catch {
      // Home is not connected either, which the session's own state reports.
    }
  }
}

const isOpen = () => liveState().connection.is === 'open';

function isListedOpen(connection: string): boolean {
  return liveState().connections?.find(({ id }) => id === connection)?.state.is === 'open';
}
