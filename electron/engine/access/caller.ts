import { type Permission, permits } from '../../../shared/contract/permissions.ts';
import { SandglassError } from '../../../shared/model/errors.ts';

/** Who calls, from where, and what they may do [P1]. History names them by `user`. */
export interface Caller {
  readonly user: string;
  readonly permission: Permission;
  /** SHA-256 (hex) of the token they came with; absent for the person at this machine and for the launch token. */
  readonly token?: string;
  /**
   * `machine`: the desktop's window, the local socket, this process; may name paths. `network`: a token of the served
   * host, the launch token included; names files of the folders it was started with (see named-files.ts).
   */
  readonly from: 'machine' | 'network';
}

/**
 * Before arguments are looked at: who may not ask learns nothing from how they are refused [P1].
 * Throws PERMISSION_DENIED, naming what is lacked and what is needed.
 */
export function checkPermission(
  { user, permission }: Caller,
  needed: Permission,
  path: readonly string[],
): void {
  if (permits(permission, needed)) return;
  throw new SandglassError(
    'PERMISSION_DENIED',
    `${path.join('.')} needs the permission ${needed}, and ${user} has ${permission}. Ask whoever may configure this store for a token with ${needed}.`,
    { needed, has: permission, user },
  );
}
