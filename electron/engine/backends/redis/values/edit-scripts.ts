import { MOST_ELEMENTS } from './redis-value.ts';

/**
 * Scripts that change a value in place, so that its key and its TTL stay. KEYS[1] is the key, ARGV the new value, never
 * empty. They return `ok`, the key's type if it is another one (`none`: it expired or was deleted), or `large` if it
 * has more elements than are shown, so that elements that are not shown are not removed.
 *
 * The server's clock does not move during a script: a key that exists at its beginning exists at its end.
 */
function script(type: string, body: string): string {
  return `
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= '${type}' then return kind end
local function each(command, values)
  for from = 1, #values, 1000 do
    redis.call(command, KEYS[1], unpack(values, from, math.min(from + 999, #values)))
  end
end
${body}
return 'ok'`;
}

const REFUSE_LARGE = (length: string) =>
  `if redis.call('${length}', KEYS[1]) > ${MOST_ELEMENTS} then return 'large' end`;

export const EDIT_SCRIPTS = {
  /** ARGV: the text. XX: without it, a key that expired would come back without a TTL. */
  string: script('string', `redis.call('SET', KEYS[1], ARGV[1], 'XX', 'KEEPTTL')`),
  /** ARGV: fields and values in turn. Unchanged fields are not written, since that would clear a TTL of their own. */
  hash: script(
    'hash',
    `${REFUSE_LARGE('HLEN')}
local wanted, set, gone = {}, {}, {}
for i = 1, #ARGV, 2 do
  wanted[ARGV[i]] = true
  if redis.call('HGET', KEYS[1], ARGV[i]) ~= ARGV[i + 1] then
    set[#set + 1] = ARGV[i]
    set[#set + 1] = ARGV[i + 1]
  end
end
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if not wanted[field] then gone[#gone + 1] = field end
end
each('HSET', set)
each('HDEL', gone)`,
  ),
  /** ARGV: the elements. */
  list: script(
    'list',
    `${REFUSE_LARGE('LLEN')}
local now, added = redis.call('LRANGE', KEYS[1], 0, -1), {}
for i = 1, #ARGV do
  if i > #now then added[#added + 1] = ARGV[i]
  elseif now[i] ~= ARGV[i] then redis.call('LSET', KEYS[1], i - 1, ARGV[i]) end
end
each('RPUSH', added)
if #ARGV < #now then redis.call('LTRIM', KEYS[1], 0, #ARGV - 1) end`,
  ),
  /** ARGV: the members. */
  set: script(
    'set',
    `${REFUSE_LARGE('SCARD')}
local wanted, gone = {}, {}
for _, member in ipairs(ARGV) do wanted[member] = true end
for _, member in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if not wanted[member] then gone[#gone + 1] = member end
end
each('SADD', ARGV)
each('SREM', gone)`,
  ),
  /** ARGV: scores and members in turn. */
  zset: script(
    'zset',
    `${REFUSE_LARGE('ZCARD')}
local wanted, gone = {}, {}
for i = 2, #ARGV, 2 do wanted[ARGV[i]] = true end
for _, member in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  if not wanted[member] then gone[#gone + 1] = member end
end
each('ZADD', ARGV)
each('ZREM', gone)`,
  ),
  /**
   * ARGV: the entries that stay, each as its id, the number of its fields and values, and these. Returns `entry` if one
   * of them does not exist with these values: entries of a stream cannot be changed.
   */
  stream: script(
    'stream',
    `${REFUSE_LARGE('XLEN')}
local there, gone, at = {}, {}, 1
for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', '+')) do there[entry[1]] = entry[2] end
local staying = {}
while at <= #ARGV do
  local id, size = ARGV[at], tonumber(ARGV[at + 1])
  local fields = there[id]
  if not fields or #fields ~= size then return 'entry' end
  local left = {}
  for i = 1, size, 2 do left[fields[i]] = fields[i + 1] end
  for i = 1, size, 2 do
    if left[ARGV[at + 1 + i]] ~= ARGV[at + 2 + i] then return 'entry' end
  end
  staying[id] = true
  at = at + 2 + size
end
for id in pairs(there) do
  if not staying[id] then gone[#gone + 1] = id end
end
each('XDEL', gone)`,
  ),
} as const;

export type EditableType = keyof typeof EDIT_SCRIPTS;
