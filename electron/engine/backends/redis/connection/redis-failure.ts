import { type ErrorCode, SandglassError } from '../../../../../shared/model/errors.ts';
import { tlsFailure } from '../../../network/tls-failure.ts';

/** Meaning for a caller of an error reply, by its first word. */
const REFUSALS: Readonly<Record<string, { code: ErrorCode; sentence: string }>> = {
  NOPERM: { code: 'PERMISSION_DENIED', sentence: 'The Redis user has no permission for this.' },
  NOAUTH: { code: 'SECRET_REQUIRED', sentence: 'The Redis server requires a password.' },
  WRONGPASS: {
    code: 'PERMISSION_DENIED',
    sentence:
      'The Redis server refuses this user and password. If the password was changed, close the connection and open it with the new one.',
  },
  READONLY: { code: 'READ_ONLY', sentence: 'This Redis server is a replica and accepts no writes.' },
  OOM: {
    code: 'OUT_OF_MEMORY',
    sentence: 'The Redis server has used its maxmemory and accepts no writes that need more.',
  },
  MISCONF: { code: 'DISK_FULL', sentence: 'The Redis server cannot save to its disk and accepts no writes.' },
  LOADING: { code: 'BUSY', sentence: 'The Redis server is loading its data.' },
  BUSY: { code: 'BUSY', sentence: 'The Redis server is running a script.' },
  MASTERDOWN: { code: 'BUSY', sentence: 'The replica has lost its master.' },
  WRONGTYPE: { code: 'EXPECTATION_FAILED', sentence: 'The key has another type by now.' },
  CLUSTERDOWN: { code: 'BUSY', sentence: 'The Redis Cluster does not serve this key at present.' },
  TRYAGAIN: { code: 'BUSY', sentence: 'The slot of the key is being moved to another master.' },
  NOREPLICAS: { code: 'BUSY', sentence: 'The Redis server has too few replicas to accept writes.' },
};

/**
 * Returns the typed error for a failed command. `data.redis` is the first word of the server's error reply; absent if
 * no reply came, so that the command may or may not have been executed. An error reply that is not expected is returned
 * unchanged.
 */
export function redisFailure(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (error instanceof SandglassError) return error;
  // The client's own message names an option of its constructor.
  if (error.name === 'MaxRetriesPerRequestError') return connectionLost('it ended before the reply');
  if (error.name !== 'ReplyError') {
    const failure = tlsFailure(error);
    return failure instanceof SandglassError ? failure : connectionLost(error.message);
  }
  const word = /^[A-Z]+/.exec(error.message)?.[0] ?? '';
  const known = REFUSALS[word];
  if (known === undefined) return error;
  return new SandglassError(known.code, `${known.sentence} It replied: ${error.message}`, { redis: word });
}

/** Returns the first word of the server's error reply; null if the error has no such reply. */
export function refusalOf(error: unknown): string | null {
  return error instanceof SandglassError && typeof error.data.redis === 'string' ? error.data.redis : null;
}

/** Returns true if the command got no reply: it may or may not have been executed. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof SandglassError && error.code === 'CONNECTION_NOT_OPEN';
}

export function connectionLost(detail: string): SandglassError {
  return new SandglassError('CONNECTION_NOT_OPEN', `The connection to the Redis server is lost: ${detail}`);
}
