import { createORPCClient } from '@orpc/client';
import { HOME_CONNECTION } from '../../shared/contract/connections.ts';
import type { Client } from '../../shared/contract/index.ts';
import { liveState, setLiveState } from './live-store.ts';
import type { StoreSession } from './store-session.ts';
import type { Link, OpenTransport, Transport } from './transport.ts';

/**
 * A second session, with the home connection. While the window shows another connection, calls about connections use
 * this session, and it reports the state of the connection shown. Opened on first use, closed when the window returns
 * to home.
 */
let opening: Promise<Transport> | null = null;
let connectHome: OpenTransport = () => Promise.reject(new Error('Not started.'));

/** Called once, before any call to home. */
export function setHomeTransport(connect: OpenTransport): void {
  connectHome = connect;
}

function homeTransport(): Promise<Transport> {
  if (opening !== null) return opening;
  const transport = connectHome();
  opening = transport;
  const clear = () => {
    if (opening === transport) opening = null;
  };
  transport.then(({ closed }) => closed).then(clear, clear);
  return transport;
}

export function closeHomeSession(): void {
  void opening?.then(
    transport => transport.close(),
    () => {},
  );
  opening = null;
}

const link: Link = {
  call: async (path, input, options) => (await homeTransport()).link.call(path, input, options),
};
export const homeClient: Client = createORPCClient(link);

/** The session of an open connection reports its state itself. */
const FIRST_POLL_MS = 300;
const POLL_EVERY_MS = 1_000;

/** Polls home for the state of a connection until the connection's own session is open. */
export async function pollFromHome(here: StoreSession): Promise<void> {
  if (here.connection === HOME_CONNECTION) return;
  for (let wait = FIRST_POLL_MS; !here.hasEnded; wait = POLL_EVERY_MS) {
    await new Promise(resolve => setTimeout(resolve, wait));
    if (here.hasEnded || isOpen()) continue;
    try {
      const connections = await homeClient.connections.list();
      if (here.hasEnded || isOpen()) continue;
      const wasOpen = isListedOpen(here.connection);
      setLiveState({ connections });
      if (!wasOpen && isListedOpen(here.connection)) here.wake();
    } catch {
      // Home is disconnected too, which the session's own state reports.
    }
  }
}

const isOpen = () => liveState().connection.is === 'open';

function isListedOpen(connection: string): boolean {
  return liveState().connections?.find(({ id }) => id === connection)?.state.is === 'open';
}
