/** What the served host and the page say to each other about their socket, beside the contract's own messages. */
export const SOCKET_PATH = '/rpc';

/** The access token is offered as the subprotocol `sandglass.TOKEN`: a page can set no header on a socket. */
export const SOCKET_PROTOCOL_PREFIX = 'sandglass.';

/** Why the host closed a socket. Those from 4000 on are ours, the others RFC 6455's and IANA's. */
export const SOCKET_CLOSED = {
  /** The host is stopping. */
  GOING_AWAY: 1001,
  /** A large message that does not begin as a call does. */
  NO_CALL: 1008,
  /** Too many large messages wait already. */
  BUSY: 1013,
  /** The engine stopped; it is being started again. */
  ENGINE_STOPPED: 1012,
  /** No token, or one that is not this host's: connecting again with it is no use. */
  TOKEN_REFUSED: 4401,
  /** The connection that the address names is not known (any more). */
  CONNECTION_NOT_FOUND: 4404,
  /** It is closed, or its store cannot be opened; the list of connections says why. */
  CONNECTION_NOT_OPEN: 4503,
} as const;
