import type { MessagePort } from 'node:worker_threads';
import type { ErrorCode } from '../../../shared/model/errors.ts';
import type { Caller } from './caller.ts';

/** Where the leader is that a store mirrors, what lets us in there, and how long it may be silent [V5]. */
export interface FollowedLeader {
  /** `http://host:port`. */
  url: string;
  token: string;
  syncTimeoutMs: number;
}

/** What the host and the engine's thread say to each other, beside the ports that carry the contract. */
export type ToThread =
  /** Whoever speaks on the port is the caller; without one, the desktop's user, who may do everything [P1]. */
  { kind: 'attach'; port: MessagePort; caller?: Caller } | { kind: 'stop' };
export type FromThread =
  | { kind: 'ready' }
  | { kind: 'refused'; code: ErrorCode; message: string; data: Readonly<Record<string, unknown>> }
  | { kind: 'stopped' };
