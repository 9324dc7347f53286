import type { MessagePort } from 'node:worker_threads';
import type { Alert } from '../../../shared/contract/alerts.ts';
import type { ConnectionRecord } from '../../../shared/contract/connections.ts';
import { type ErrorCode, SandglassError } from '../../../shared/model/errors.ts';
import type { Caller } from '../access/caller.ts';
import type { ConnectionCall } from './connection-calls.ts';

/** Where the leader is that a store mirrors, what lets us in there, and how long it may be silent [V5]. */
export interface FollowedLeader {
  /** `http://host:port`. */
  url: string;
  token: string;
  syncTimeoutMs: number;
}

/** An expected error as it passes between threads. */
export interface SerializedRefusal {
  code: ErrorCode;
  message: string;
  data: Readonly<Record<string, unknown>>;
}

/** Any error as it passes between threads: a defect stays one, with the stack that it was thrown with. */
export type SerializedError =
  | ({ is: 'expected' } & SerializedRefusal)
  | { is: 'defect'; message: string; stack: string | undefined };

export function serializeError(error: unknown): SerializedError {
  if (error instanceof SandglassError) {
    const { code, message, data } = error;
    return { is: 'expected', code, message, data };
  }
  return error instanceof Error
    ? { is: 'defect', message: error.message, stack: error.stack }
    : { is: 'defect', message: String(error), stack: undefined };
}

/** The error that another thread told of. */
export function deserializeError(told: SerializedError): Error {
  if (told.is === 'expected') return new SandglassError(told.code, told.message, told.data);
  const error = new Error(told.message);
  if (told.stack !== undefined) error.stack = told.stack;
  return error;
}

/** Of the stores that a host holds beside each other: the list whenever it changed, and answers to what was asked. */
export type ConnectionsToThread =
  | { kind: 'connections'; list: readonly ConnectionRecord[] }
  | { kind: 'answered'; ask: number; result: unknown }
  | { kind: 'answered'; ask: number; error: SerializedError };
export type ConnectionsFromThread = { kind: 'ask'; ask: number; call: ConnectionCall };

/** What the host and the engine's thread say to each other, beside the ports that carry the contract. */
export type ToThread =
  /** Whoever speaks on the port is the caller; without one, the desktop's user, who may do everything [P1]. */
  { kind: 'attach'; port: MessagePort; caller?: Caller } | { kind: 'stop' } | ConnectionsToThread;
export type FromThread =
  | { kind: 'ready' }
  | ({ kind: 'refused' } & SerializedRefusal)
  | { kind: 'stopped' }
  /** All that hold, after every look; only to a host that asked for them. */
  | { kind: 'alerts'; active: readonly Alert[] }
  | ConnectionsFromThread;
