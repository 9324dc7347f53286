/** The store that Sandglass was started on. It is always there, first, and cannot be removed. */
export const HOME_CONNECTION = 'home';

/** Whether a text has the form of a connection's id; there may be no such connection. */
export function isConnectionId(id: unknown): id is string {
  return typeof id === 'string' && (id === HOME_CONNECTION || /^c-[0-9a-f]{12}$/.test(id));
}

/** The parameter of an address, of REST and of `/rpc`, that says which connection is meant; without it: home. */
export const CONNECTION_PARAMETER = 'connection';
