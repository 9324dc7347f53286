import { z } from 'zod';
import { SandglassError } from '../../../../../shared/model/errors.ts';

/** Error reply of the JSON gateway; `code` is that of gRPC. */
const errorReply = z.object({ message: z.string(), code: z.number() });

/** Codes of gRPC with one meaning for every call. */
const PERMISSION_DENIED = 7;
const RESOURCE_EXHAUSTED = 8;
const OUT_OF_RANGE = 11;
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;

/** Refusals that gRPC reports as an invalid argument or a failed precondition. */
const LOGIN_REFUSED = /user name is empty|invalid user ID or password|user name not found/;
const TOKEN_REFUSED = /invalid auth token|revision of auth store is old|revision in header is old/;

/**
 * Returns the typed error for an error reply. `data.etcd` is the server's message. An error without a known meaning is
 * EXPECTATION_FAILED: the server received the request and refused it.
 */
export function etcdRefusal(status: number, reply: unknown): SandglassError {
  const parsed = errorReply.safeParse(reply);
  if (!parsed.success)
    return serverUnreachable(`the address answers HTTP ${status} and is no gateway of etcd 3.4 or later`);
  const { message, code } = parsed.data;
  const data = { etcd: message };
  const fail = (errorCode: SandglassError['code'], sentence: string) =>
    new SandglassError(errorCode, `${sentence} It replied: ${message}`, data);
  if (TOKEN_REFUSED.test(message) || code === UNAUTHENTICATED) {
    return fail('UNAUTHORIZED', 'The etcd server no longer accepts this login.');
  }
  if (LOGIN_REFUSED.test(message)) {
    return fail('PERMISSION_DENIED', 'The etcd server refuses this user and password, or requires them.');
  }
  switch (code) {
    case PERMISSION_DENIED:
      return fail('PERMISSION_DENIED', 'The etcd user has no permission for this.');
    case RESOURCE_EXHAUSTED:
      return fail('DISK_FULL', 'The etcd server is over its quota or its limits, and refuses this.');
    case OUT_OF_RANGE:
      return fail('REVISION_COMPACTED', 'The etcd server no longer has the history of this revision.');
    case UNAVAILABLE:
      return serverUnreachable(message);
    default:
      return fail('EXPECTATION_FAILED', 'The etcd server refuses this.');
  }
}

/** `mayBeApplied`: the request was sent, and no reply came. */
export function serverUnreachable(detail: string, mayBeApplied = true): SandglassError {
  return new SandglassError('SERVER_UNREACHABLE', `The etcd server cannot be reached: ${detail}.`, {
    mayBeApplied,
  });
}

export function isUnreachable(error: unknown): error is SandglassError {
  return error instanceof SandglassError && error.code === 'SERVER_UNREACHABLE';
}

export function isCode(error: unknown, code: SandglassError['code']): error is SandglassError {
  return error instanceof SandglassError && error.code === code;
}

/** Whether the server replied that the lease does not exist. */
export function isLeaseNotFound(error: unknown): boolean {
  return (
    error instanceof SandglassError &&
    typeof error.data.etcd === 'string' &&
    error.data.etcd.includes('requested lease not found')
  );
}
