/** Constants of the window's socket that the served host and the page share. */
export const SOCKET_PATH = '/rpc';

/** The access token is sent as the subprotocol `sandglass.TOKEN`: a page cannot set headers of a socket. */
export const SOCKET_PROTOCOL_PREFIX = 'sandglass.';

/** Close codes of the host. Those from 4000 on are its own, the others are from RFC 6455 and IANA. */
export const SOCKET_CLOSED = {
  /** The host is stopping. */
  GOING_AWAY: 1001,
  /** A large message does not have the beginning of a call. */
  NO_CALL: 1008,
  /** Too many large messages are queued. */
  BUSY: 1013,
  /** The engine stopped and is restarting. */
  ENGINE_STOPPED: 1012,
  /** The token is missing or unknown: reconnecting with the same token fails again. */
  TOKEN_REFUSED: 4401,
  /** The connection in the address does not exist. */
  CONNECTION_NOT_FOUND: 4404,
  /** The connection is closed, or its store cannot be opened; the list of connections has the reason. */
  CONNECTION_NOT_OPEN: 4503,
} as const;
