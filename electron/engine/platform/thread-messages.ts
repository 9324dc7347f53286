import type { MessagePort } from 'node:worker_threads';
import type { ErrorCode } from '../../../shared/model/errors.ts';
import type { Caller } from './caller.ts';

/** What the host and the engine's thread say to each other, beside the ports that carry the contract. */
export type ToThread =
  /** Whoever speaks on the port is the caller; without one, the desktop's user, who may do everything [P1]. */
  { kind: 'attach'; port: MessagePort; caller?: Caller } | { kind: 'stop' };
export type FromThread =
  | { kind: 'ready' }
  | { kind: 'refused'; code: ErrorCode; message: string; data: Readonly<Record<string, unknown>> }
  | { kind: 'stopped' };
