import { type Permission, permits } from '../../../shared/contract/permissions.ts';
import { SandglassError } from '../../../shared/model/errors.ts';

/** The caller of the API and its permission [P1]. History names it by `user`. */
export interface Caller {
  readonly user: string;
  readonly permission: Permission;
  /** SHA-256 (hex) of the caller's token; absent for the user of this machine and for the launch token. */
  readonly token?: string;
  /**
   * `machine`: the desktop's window, the local socket or this process; may give paths. `network`: a token of the
   * served host, the launch token included; names files of the host's folders (see allowed-folders.ts).
   */
  readonly from: 'machine' | 'network';
}

/**
 * Called before arguments are read, so that a refusal reveals nothing about the store [P1]. Throws PERMISSION_DENIED
 * with the needed and the actual permission.
 */
export function checkPermission(
  { user, permission }: Caller,
  needed: Permission,
  path: readonly string[],
): void {
  if (permits(permission, needed)) return;
  throw new SandglassError(
    'PERMISSION_DENIED',
    `${path.join('.')} needs the permission ${needed}, and ${user} has ${permission}. Ask an administrator of this store for a token with ${needed}.`,
    { needed, has: permission, user },
  );
}
