import { z } from 'zod';

/** Permissions of a caller. `follow` allows replication only [P1, V5]. */
export const PERMISSIONS = ['read', 'write', 'configure', 'follow'] as const;
export const permission = z.enum(PERMISSIONS);
export type Permission = z.infer<typeof permission>;

/** The permissions that each one includes [P1]. */
const INCLUDED: Readonly<Record<Permission, readonly Permission[]>> = {
  read: ['read'],
  write: ['read', 'write'],
  configure: PERMISSIONS,
  follow: ['follow'],
};

/** Returns whether a caller with the permission `has` may make a call that needs `needed` [P1]. */
export function permits(has: Permission, needed: Permission): boolean {
  return INCLUDED[has].includes(needed);
}
