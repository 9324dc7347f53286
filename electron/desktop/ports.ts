import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { ipcMain, MessageChannelMain } from 'electron';
import { SandglassError } from '../../shared/model/errors.ts';
import { isConnectionId } from '../../shared/model/transport/connection-id.ts';
import {
  type ConnectionRefusal,
  isPortId,
  PORT_CHANNELS,
  type PortMessage,
} from '../../shared/model/transport/desktop-ports.ts';
import type { Caller } from '../engine/access/caller.ts';
import type { Logger } from '../engine/platform/logger.ts';
import { trustedFrame } from './origin.ts';
import { relayToPage } from './page-relay.ts';

interface AttachPort {
  /** Throws CONNECTION_NOT_FOUND, CONNECTION_NOT_OPEN. */
  attach(port: MessagePort, caller?: Caller, connection?: string): void;
}

/**
 * Answers the page's requests for a port to the engine of a connection, home by default. A reloaded page requests a new
 * port; its old one is closed. If that engine does not run, the port is closed and the answer contains the reason.
 */
export function handlePortRequests(connections: AttachPort, log: Logger): Disposable {
  const onRequest = (event: Electron.IpcMainEvent, id: unknown, connection?: unknown) => {
    const frame = trustedFrame(event);
    const isNamed = connection !== undefined && connection !== null;
    if (frame === undefined || !isPortId(id) || (isNamed && !isConnectionId(connection))) {
      log.warn('refused a request for a port from an untrusted frame', { from: event.senderFrame?.url });
      return;
    }
    const { port1: ours, port2: theirs } = new MessageChannelMain();
    const { port1: near, port2: far } = new MessageChannel();
    relayToPage(ours, near);
    const refused = attach(connections, far, isNamed ? connection : undefined);
    const answer: PortMessage = { sandglassPort: id, ...(refused === undefined ? {} : { refused }) };
    frame.postMessage(PORT_CHANNELS.engine, answer, [theirs]);
  };
  ipcMain.on(PORT_CHANNELS.engine, onRequest);
  return { [Symbol.dispose]: () => void ipcMain.off(PORT_CHANNELS.engine, onRequest) };
}

/** Returns the reason if the connection is not open. */
function attach(
  connections: AttachPort,
  port: MessagePort,
  connection: string | undefined,
): ConnectionRefusal | undefined {
  try {
    connections.attach(port, undefined, connection);
    return undefined;
  } catch (error) {
    port.close();
    if (!(error instanceof SandglassError)) throw error;
    return error.code === 'CONNECTION_NOT_FOUND' ? error.code : 'CONNECTION_NOT_OPEN';
  }
}
