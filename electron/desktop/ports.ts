import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { ipcMain, MessageChannelMain, type MessagePortMain } from 'electron';
import { isConnectionId } from '../../shared/model/connection-id.ts';
import {
  type ConnectionRefusal,
  isPortId,
  PORT_CHANNELS,
  type PortMessage,
} from '../../shared/model/desktop.ts';
import { SandglassError } from '../../shared/model/errors.ts';
import type { Caller } from '../engine/access/caller.ts';
import type { Logger } from '../engine/platform/logger.ts';
import { trustedFrame } from './origin.ts';

interface Reach {
  /** Throws CONNECTION_NOT_FOUND, CONNECTION_NOT_OPEN. */
  attach(port: MessagePort, caller?: Caller, connection?: string): void;
}

/**
 * Hands each page that asks a port of its own to the engine of the connection it names, home if none. A reload asks
 * again, and its old port closes with it. Where there is no such engine, the port is closed and the answer says why.
 */
export function handOutPorts(stores: Reach, log: Logger): Disposable {
  const onAsked = (event: Electron.IpcMainEvent, id: unknown, connection?: unknown) => {
    const frame = trustedFrame(event);
    const isNamed = connection !== undefined && connection !== null;
    if (frame === undefined || !isPortId(id) || (isNamed && !isConnectionId(connection))) {
      log.warn('a port was asked for by someone who may not have one', { from: event.senderFrame?.url });
      return;
    }
    const { port1: ours, port2: theirs } = new MessageChannelMain();
    const { port1: near, port2: far } = new MessageChannel();
    relay(ours, near);
    const refused = attach(stores, far, isNamed ? connection : undefined);
    const answer: PortMessage = { sandglassPort: id, ...(refused === undefined ? {} : { refused }) };
    frame.postMessage(PORT_CHANNELS.engine, answer, [theirs]);
  };
  ipcMain.on(PORT_CHANNELS.engine, onAsked);
  return { [Symbol.dispose]: () => void ipcMain.off(PORT_CHANNELS.engine, onAsked) };
}

/** Why there is nobody to attach it to. */
function attach(
  stores: Reach,
  port: MessagePort,
  connection: string | undefined,
): ConnectionRefusal | undefined {
  try {
    stores.attach(port, undefined, connection);
    return undefined;
  } catch (error) {
    port.close();
    if (!(error instanceof SandglassError)) throw error;
    return error.code === 'CONNECTION_NOT_FOUND' ? error.code : 'CONNECTION_NOT_OPEN';
  }
}

/** Electron's ports cannot be handed to a thread. What passes is encoded, and is none of this process's business. */
function relay(page: MessagePortMain, engine: MessagePort): void {
  page.on('message', ({ data }) => engine.postMessage(data));
  engine.on('message', message => page.postMessage(message));
  page.on('close', () => engine.close());
  engine.on('close', () => page.close());
  page.start();
}
