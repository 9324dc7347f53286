/**
 * The connection of the store that Sandglass was started on. It is always first in the list and cannot be removed.
 */
export const HOME_CONNECTION = 'home';

/** Returns whether a text has the form of a connection id; a connection with that id need not exist. */
export function isConnectionId(id: unknown): id is string {
  return typeof id === 'string' && (id === HOME_CONNECTION || /^c-[0-9a-f]{12}$/.test(id));
}

/** The query parameter of REST and `/rpc` that names the connection; absent: home. */
export const CONNECTION_PARAMETER = 'connection';
