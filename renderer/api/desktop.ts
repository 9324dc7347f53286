import { t } from '@lingui/core/macro';
import { RPCLink } from '@orpc/client/message-port';
import {
  type DesktopBridge,
  type FileMessage,
  isPortMessage,
  type PortKind,
  READ_RECEIPT,
} from '../../shared/model/transport/desktop-ports.ts';
import type { EndReason, OpenTransport } from './transport.ts';

declare global {
  interface Window {
    /** Defined only in windows of the desktop app. */
    readonly sandglass?: DesktopBridge;
  }
}

/** Timeout for a port of the desktop, ms. The first one waits until the store is open. */
const PORT_WITHIN_MS = 10_000;

/**
 * Requests a port from the desktop's main process. Listens before the request is sent, and ignores answers to other
 * requests.
 */
function askForPort(bridge: DesktopBridge, kind: PortKind, connection?: string): Promise<MessagePort> {
  const id = crypto.randomUUID();
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const timeout = setTimeout(() => {
      over.abort();
      reject(new Error(t`No answer from the desktop app.`));
    }, PORT_WITHIN_MS);
    const onMessage = ({ source, data, ports: [port] }: MessageEvent) => {
      if (source !== window || !isPortMessage(data) || data.sandglassPort !== id || port === undefined)
        return;
      clearTimeout(timeout);
      over.abort();
      // The list of connections shows why the connection was refused.
      if (data.refused === undefined) resolve(port);
      else reject(new Error(data.refused));
    };
    addEventListener('message', onMessage, { signal: over.signal });
    bridge.askForPort(kind, id, connection);
  });
}

/** The desktop host: calls use a message port, which closes when the engine stops. */
export function connectByPort(bridge: DesktopBridge, connection: string): OpenTransport {
  return async () => {
    const port = await askForPort(bridge, 'engine', connection);
    const closed = new Promise<EndReason>(over => port.addEventListener('close', () => over('gone')));
    const link = new RPCLink({ port });
    // Without receipts, the host could not detect that this page has stopped reading.
    port.addEventListener('message', () => port.postMessage(READ_RECEIPT));
    port.start();
    const close = () => {
      port.close();
      // Closing a port notifies only the other end, so callers on this end are notified here.
      port.dispatchEvent(new Event('close'));
    };
    return { link, closed, close };
  };
}

/** Opens the desktop's file dialog. Returns null after a cancel; rejects if the file cannot be read. */
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
  if (!response.ok) throw new Error(t`${message.name} could not be read.`);
  return new File([await response.blob()], message.name, { lastModified: message.changedAt });
}
