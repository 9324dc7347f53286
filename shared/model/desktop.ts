/**
 * What the desktop's main process, its preload and the page agree on. The page asks for a port by a fresh id, main
 * answers on the same channel, and the preload hands the port on as a window message.
 */

/** `engine` speaks the contract. `file` tells of a file that the person chose, see `FileMessage`. */
export type PortKind = 'engine' | 'file';

/** Of the two processes; the page never sees them. */
export const PORT_CHANNELS: Readonly<Record<PortKind, string>> = {
  engine: 'sandglass:engine-port',
  file: 'sandglass:file-port',
};

/** The one thing that a page of the desktop has and a page in a browser has not: `window.sandglass`. */
export interface DesktopBridge {
  /**
   * Answered by a `PortMessage` with the same id. Throws nothing and says nothing else. `connection`: which store an
   * engine's port is to reach; the home one if none is named.
   */
  askForPort(kind: PortKind, id: string, connection?: string): void;
}

/** The window message that brings a port, or says why there is none. */
export interface PortMessage {
  readonly sandglassPort: string;
  /** The connection that was asked for has no engine to reach; the port that comes with it is closed. */
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

/** Ids are random UUIDs: long enough that one page load never meets the answer to another. */
export function isPortId(id: unknown): id is string {
  return typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id);
}

/** The one message of a file port. The page never learns a path: it reads what was chosen at `address`, once. */
export type FileMessage =
  | { readonly is: 'none' }
  | { readonly is: 'chosen'; readonly name: string; readonly changedAt: number; readonly address: string }
  | { readonly is: 'failed'; readonly message: string };
