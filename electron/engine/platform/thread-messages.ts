import type { MessagePort } from 'node:worker_threads';
import type { ErrorCode } from '../../../shared/model/errors.ts';

/** What the host and the engine's thread say to each other, beside the ports that carry the contract. */
export type ToThread = { kind: 'attach'; port: MessagePort } | { kind: 'stop' };
export type FromThread =
  | { kind: 'ready' }
  | { kind: 'refused'; code: ErrorCode; message: string; data: Readonly<Record<string, unknown>> }
  | { kind: 'stopped' };
