import type {
  ConnectionTarget,
  ServerSecrets,
  TargetWithSecrets,
} from '../../shared/contract/connections.ts';
import { ERROR_STATUS, isErrorCode, SandglassError } from '../../shared/model/errors.ts';
import { realStorePath } from '../engine/files/store-path.ts';

/** Returns the target with its file resolved, and the secrets of a server. */
export function resolved(given: TargetWithSecrets): { target: ConnectionTarget; secrets: ServerSecrets } {
  if (given.kind === 'file')
    return { target: { kind: 'file', file: realStorePath(given.file) }, secrets: {} };
  const { secret, passphrase, tlsPassphrase, ...target } = given;
  return {
    target,
    secrets: {
      ...(secret !== undefined && { secret }),
      ...(passphrase !== undefined && { passphrase }),
      ...(tlsPassphrase !== undefined && { tlsPassphrase }),
    },
  };
}

/** Removes each secret. */
export const NO_SECRETS: ServerSecrets = { secret: '', passphrase: '', tlsPassphrase: '' };

export function missingStore(file: string): SandglassError {
  return new SandglassError(
    'INVALID_CONNECTION',
    `There is no store at ${file}, and a read-only connection creates none.`,
    { file },
  );
}

/**
 * Returns the error for a target that cannot be connected: with a status below 500, since the caller chose the target.
 */
export function refusedTarget(
  { code, message }: { code: string; message: string },
  file: string,
): SandglassError {
  const isOfCaller = isErrorCode(code) && ERROR_STATUS[code] < 500;
  return new SandglassError(isOfCaller ? code : 'INVALID_CONNECTION', message, { file, reason: code });
}
