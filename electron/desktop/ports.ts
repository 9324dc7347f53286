import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { ipcMain, MessageChannelMain, type MessagePortMain } from 'electron';
import { isPortId, PORT_CHANNELS } from '../../shared/model/desktop.ts';
import type { Logger } from '../engine/platform/logger.ts';
import { trustedFrame } from './origin.ts';

/** Hands each page that asks a port of its own to the engine. A reload asks again, and its old port closes with it. */
export function handOutPorts(engine: { attach(port: MessagePort): void }, log: Logger): Disposable {
  const onAsked = (event: Electron.IpcMainEvent, id: unknown) => {
    const frame = trustedFrame(event);
    if (frame === undefined || !isPortId(id)) {
      log.warn('a port was asked for by someone who may not have one', { from: event.senderFrame?.url });
      return;
    }
    const { port1: ours, port2: theirs } = new MessageChannelMain();
    const { port1: near, port2: far } = new MessageChannel();
    relay(ours, near);
    engine.attach(far);
    frame.postMessage(PORT_CHANNELS.engine, id, [theirs]);
  };
  ipcMain.on(PORT_CHANNELS.engine, onAsked);
  return { [Symbol.dispose]: () => void ipcMain.off(PORT_CHANNELS.engine, onAsked) };
}

/** Electron's ports cannot be handed to a thread. What passes is encoded, and is none of this process's business. */
function relay(page: MessagePortMain, engine: MessagePort): void {
  page.on('message', ({ data }) => engine.postMessage(data));
  engine.on('message', message => page.postMessage(message));
  page.on('close', () => engine.close());
  engine.on('close', () => page.close());
  page.start();
}
