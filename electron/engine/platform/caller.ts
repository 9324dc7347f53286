import { PERMISSIONS, type Permission } from '../../../shared/contract/base.ts';

/** Who calls and what they may do [P1]. History names them by `user`. */
export interface Caller {
  readonly user: string;
  readonly permission: Permission;
  /** SHA-256 (hex) of the token they came with; absent for whoever sits at this machine. */
  readonly token?: string;
}

/** Each permission includes the ones before it [P1]. */
export function mayDo(has: Permission, needed: Permission): boolean {
  return PERMISSIONS.indexOf(has) >= PERMISSIONS.indexOf(needed);
}
