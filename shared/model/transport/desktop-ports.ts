/**
 * The protocol between the desktop's main process, its preload and the page. The page requests a port with a new id,
 * the main process answers on the same channel, and the preload passes the port on as a window message.
 */

/** `engine`: carries the contract. `file`: carries a `FileMessage` about a chosen file. */
export type PortKind = 'engine' | 'file';

/** IPC channels between preload and main; the page has no access to them. */
export const PORT_CHANNELS: Readonly<Record<PortKind, string>> = {
  engine: 'sandglass:engine-port',
  file: 'sandglass:file-port',
};

/** `window.sandglass`, present in the desktop only. */
export interface DesktopBridge {
  /**
   * Requests a port; the answer is a `PortMessage` with the same id. `connection` names the store of an engine's
   * port; absent: home.
   */
  askForPort(kind: PortKind, id: string, connection?: string): void;
}

/** The window message that carries a port, or the reason why the port is refused. */
export interface PortMessage {
  readonly sandglassPort: string;
  /** The requested connection has no running engine; the port in the message is closed. */
  readonly refused?: ConnectionRefusal;
}

export type ConnectionRefusal = 'CONNECTION_NOT_FOUND' | 'CONNECTION_NOT_OPEN';

export function isPortMessage(data: unknown): data is PortMessage {
  return (
    typeof data === 'object' &&
    data !== null &&
    'sandglassPort' in data &&
    typeof data.sandglassPort === 'string'
  );
}

/** Posted by the page after each message of an engine's port that it has read. */
export const READ_RECEIPT = { read: true } as const;

export function isReadReceipt(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'read' in message && message.read === true;
}

/** Ids are random UUIDs, so that a page never receives an answer to an earlier page. */
export function isPortId(id: unknown): id is string {
  return typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id);
}

/** The only message of a file port. The page does not receive a path: it reads the chosen file at `address`, once. */
export type FileMessage =
  | { readonly is: 'none' }
  | { readonly is: 'chosen'; readonly name: string; readonly changedAt: number; readonly address: string }
  | { readonly is: 'failed'; readonly message: string };
