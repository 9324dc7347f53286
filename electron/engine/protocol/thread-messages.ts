import type { MessagePort } from 'node:worker_threads';
import type { Alert } from '../../../shared/contract/alerts.ts';
import type { ConnectionRecord, ServerSecrets, ServerTarget } from '../../../shared/contract/connections.ts';
import { type ErrorCode, SandglassError } from '../../../shared/model/errors.ts';
import type { Caller } from '../access/caller.ts';
import type { ConnectionCall } from './connection-calls.ts';

/** The leader of a mirror: its address, its token, and the longest time without an answer [V5]. */
export interface FollowedLeader {
  /** `http://host:port`. */
  url: string;
  token: string;
  syncTimeoutMs: number;
}

/** Options to open a remote store. */
export interface RemoteStoreStart extends ServerTarget, ServerSecrets {
  /** File of the store's mirror. */
  mirrorFile: string;
  /** Whether a caller from the network chose the server: it may then name only servers that were allowed [P1]. */
  isConfined: boolean;
}

/** An expected error in a message between threads. */
export interface SerializedRefusal {
  code: ErrorCode;
  message: string;
  data: Readonly<Record<string, unknown>>;
}

/** Any error in a message between threads; a defect keeps its stack. */
export type SerializedError =
  | ({ is: 'expected' } & SerializedRefusal)
  /** `code` is SQLite's or the system's. */
  | { is: 'defect'; message: string; stack: string | undefined; code: string | undefined };

export function serializeError(error: unknown): SerializedError {
  if (error instanceof SandglassError) {
    const { code, message, data } = error;
    return { is: 'expected', code, message, data };
  }
  return error instanceof Error
    ? {
        is: 'defect',
        message: error.message,
        stack: error.stack,
        code: 'code' in error ? String(error.code) : undefined,
      }
    : { is: 'defect', message: String(error), stack: undefined, code: undefined };
}

/** Returns the error that another thread sent. */
export function deserializeError(serialized: SerializedError): Error {
  if (serialized.is === 'expected')
    return new SandglassError(serialized.code, serialized.message, serialized.data);
  const error = new Error(serialized.message);
  if (serialized.stack !== undefined) error.stack = serialized.stack;
  return serialized.code === undefined ? error : Object.assign(error, { code: serialized.code });
}

/** Messages about connections: the list after each change, and answers to calls. */
export type ConnectionsToThread =
  | { kind: 'connections'; list: readonly ConnectionRecord[] }
  | { kind: 'answered'; id: number; result: unknown }
  | { kind: 'answered'; id: number; error: SerializedError };
export type ConnectionsFromThread = { kind: 'call'; id: number; call: ConnectionCall };

/** Messages between the host and the engine's thread, beside the ports that carry the contract. */
export type ToThread =
  /** `reads`: a port to the reader thread (direct-calls.ts). `caller` makes the calls of the port; absent: the desktop's user, who has every permission [P1]. */
  | { kind: 'attach'; port: MessagePort; reads?: MessagePort; caller?: Caller }
  | { kind: 'stop' }
  | ConnectionsToThread;
export type FromThread =
  | { kind: 'ready' }
  | ({ kind: 'refused' } & SerializedRefusal)
  | { kind: 'stopped' }
  /** All active alerts, after every check; only to a host that requested them. */
  | { kind: 'alerts'; active: readonly Alert[] }
  | ConnectionsFromThread;
