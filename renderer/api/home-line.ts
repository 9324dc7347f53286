import { createORPCClient } from '@orpc/client';
import { HOME_CONNECTION } from '../../shared/contract/connections.ts';
import type { Client } from '../../shared/contract/index.ts';
import { liveState, setLiveState } from './live-store.ts';
import type { Stay } from './stay.ts';
import type { Connect, Connection, Link } from './transport.ts';

/**
 * A second line, to home, which is always there. What is done to connections is asked of it while the window is with
 * another one, and it tells how that one stands while it does not answer itself. Opened when it is first needed, closed
 * when the window is home again.
 */
let opening: Promise<Connection> | null = null;
let connectHome: Connect = () => Promise.reject(new Error('Not started.'));

/** Once, before anything is asked. */
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

/** One that opens is not looked at from elsewhere. */
const FIRST_LOOK_MS = 300;
const LOOK_EVERY_MS = 1_000;

/** While the line of a further connection is not open: how home says it stands. */
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
      // Home does not answer either: then the whole of Sandglass is away, which the line's own state says.
    }
  }
}

const isOpen = () => liveState().connection.is === 'open';

function isListedOpen(connection: string): boolean {
  return liveState().connections?.find(({ id }) => id === connection)?.state.is === 'open';
}
