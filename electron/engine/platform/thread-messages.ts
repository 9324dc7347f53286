import type { MessagePort } from 'node:worker_threads';
import type { ConnectionRecord } from '../../../shared/contract/connections.ts';
import { type ErrorCode, SandglassError } from '../../../shared/model/errors.ts';
import type { Caller } from './caller.ts';
import type { ConnectionCall } from './connections.ts';

/** Where the leader is that a store mirrors, what lets us in there, and how long it may be silent [V5]. */
export interface FollowedLeader {
  /** `http://host:port`. */
  url: string;
  token: string;
  syncTimeoutMs: number;
}

/** An error as it passes between threads. */
export interface ToldError {
  code: ErrorCode;
  message: string;
  data: Readonly<Record<string, unknown>>;
}

/** Whatever is not an expected error is a defect. */
export function toldError(error: unknown): ToldError {
  if (error instanceof SandglassError) return { code: error.code, message: error.message, data: error.data };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'INTERNAL_SERVER_ERROR', message, data: {} };
}

/** Of the stores that a host holds beside each other: the list whenever it changed, and answers to what was asked. */
export type ConnectionsToThread =
  | { kind: 'connections'; list: readonly ConnectionRecord[] }
  | { kind: 'answered'; ask: number; result: unknown }
  | { kind: 'answered'; ask: number; error: ToldError };
export type ConnectionsFromThread = { kind: 'ask'; ask: number; call: ConnectionCall };

/** What the host and the engine's thread say to each other, beside the ports that carry the contract. */
export type ToThread =
  /** Whoever speaks on the port is the caller; without one, the desktop's user, who may do everything [P1]. */
  { kind: 'attach'; port: MessagePort; caller?: Caller } | { kind: 'stop' } | ConnectionsToThread;
export type FromThread =
  | { kind: 'ready' }
  | ({ kind: 'refused' } & ToldError)
  | { kind: 'stopped' }
  | ConnectionsFromThread;
