import { RPCLink } from '@orpc/client/message-port';
import {
  type DesktopBridge,
  type FileMessage,
  isPortMessage,
  type PortKind,
} from '../../shared/model/desktop.ts';
import type { Connect, Ending } from './transport.ts';

declare global {
  interface Window {
    /** There in the desktop's window only. */
    readonly sandglass?: DesktopBridge;
  }
}

/** How long the desktop may take to hand out a port. The first one waits for the store to open. */
const PORT_WITHIN_MS = 10_000;

/** A port of the desktop's main process. The listener stands before the question, and only its own answer counts. */
function askForPort(bridge: DesktopBridge, kind: PortKind, connection?: string): Promise<MessagePort> {
  const id = crypto.randomUUID();
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const timeout = setTimeout(() => {
      over.abort();
      reject(new Error('The desktop app does not answer.'));
    }, PORT_WITHIN_MS);
    const onMessage = ({ source, data, ports: [port] }: MessageEvent) => {
      if (source !== window || !isPortMessage(data) || data.sandglassPort !== id || port === undefined)
        return;
      clearTimeout(timeout);
      over.abort();
      // Where it is refused, the list of connections says why.
      if (data.refused === undefined) resolve(port);
      else reject(new Error(data.refused));
    };
    addEventListener('message', onMessage, { signal: over.signal });
    bridge.askForPort(kind, id, connection);
  });
}

/** The desktop host: the engine answers on a port, and its closing is the only sign that the engine is gone. */
export function connectByPort(bridge: DesktopBridge, connection: string): Connect {
  return async () => {
    const port = await askForPort(bridge, 'engine', connection);
    const closed = new Promise<Ending>(over => port.addEventListener('close', () => over('gone')));
    const link = new RPCLink({ port });
    port.start();
    const close = () => {
      port.close();
      // Told to the other end only; those who wait for answers on this one must hear it too.
      port.dispatchEvent(new Event('close'));
    };
    return { link, closed, close };
  };
}

/** The desktop's own file dialog. Null where the person changed their mind; rejects where the file cannot be read. */
export async function chooseFile(bridge: DesktopBridge): Promise<File | null> {
  const port = await askForPort(bridge, 'file');
  const message = await new Promise<FileMessage>(resolve => {
    port.addEventListener('message', ({ data }: MessageEvent<FileMessage>) => resolve(data));
    port.addEventListener('close', () => resolve({ is: 'none' }));
    port.start();
  });
  port.close();
  if (message.is === 'none') return null;
  if (message.is === 'failed') throw new Error(message.message);
  const response = await fetch(message.address);
  if (!response.ok) throw new Error(`${message.name} cannot be read.`);
  return new File([await response.blob()], message.name, { lastModified: message.changedAt });
}
