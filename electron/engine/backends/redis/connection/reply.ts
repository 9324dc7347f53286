/** A reply of a Redis server; texts are bytes. */
export type Reply = Buffer | number | null | Reply[];

/** @throws Error if the client returned something else. */
export function replyOf(value: unknown): Reply {
  if (isReply(value)) return value;
  throw new Error(`a Redis reply has an unknown form: ${typeof value}`);
}

/** The elements of a list are checked when they are read. */
function isReply(value: unknown): value is Reply {
  return value === null || typeof value === 'number' || Buffer.isBuffer(value) || Array.isArray(value);
}

export function integerOf(reply: Reply | undefined): number {
  if (typeof reply === 'number') return reply;
  throw unexpected('an integer', reply);
}

export function bytesOf(reply: Reply | undefined): Buffer {
  if (Buffer.isBuffer(reply)) return reply;
  throw unexpected('a string', reply);
}

/** Returns the reply as text; bytes that are not UTF-8 are replaced. */
export function textOf(reply: Reply | undefined): string {
  return bytesOf(reply).toString('utf8');
}

export function listOf(reply: Reply | undefined): Reply[] {
  if (Array.isArray(reply)) return reply;
  throw unexpected('a list', reply);
}

/** Returns a flat list of names and values as pairs. */
export function pairsOf(reply: Reply | undefined): [Buffer, Buffer][] {
  const flat = listOf(reply);
  return Array.from({ length: flat.length / 2 }, (_, i) => [bytesOf(flat[2 * i]), bytesOf(flat[2 * i + 1])]);
}

function unexpected(wanted: string, reply: Reply | undefined): Error {
  const found = reply === null ? 'nil' : Array.isArray(reply) ? 'a list' : typeof reply;
  return new Error(`Redis replied ${found} where ${wanted} was expected`);
}
