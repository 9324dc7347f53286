import { SandglassError } from '../../../../../shared/model/errors.ts';
import { type JsonValue, stringifyJson } from '../../../../../shared/model/json/json.ts';
import { type ImportedKey, type KeyOutcome, keyExists } from '../../mirrored/mirrored-import.ts';
import type { WriteMode } from '../../port/writes.ts';
import type { Command, CommandConnection, Outcome } from '../connection/command-connection.ts';
import { connectionLost, isConnectionLost } from '../connection/redis-failure.ts';
import { textOf } from '../connection/reply.ts';
import type { EditableType } from './edit-scripts.ts';
import { isEditable, valueArguments } from './value-arguments.ts';

/**
 * Writes a key with its deadline in one step, so that it never exists without it. KEYS[1] is the key; ARGV: `1` to
 * replace an existing key, the type, the deadline in epoch ms (empty: none), then the value as EDIT_SCRIPTS take it.
 * Returns `inserted`, `updated`, or `exists`.
 *
 * Before an existing value is removed, the script finds out whether the new one may be written: SET with NX has no effect
 * on it, and fails where the server is out of memory.
 */
const IMPORT_SCRIPT = `
local kind = ARGV[2]
local exists = redis.call('EXISTS', KEYS[1]) == 1
if exists and ARGV[1] ~= '1' then return 'exists' end
local commands = {string='SET', hash='HSET', list='RPUSH', set='SADD', zset='ZADD', stream='XADD'}
if exists and kind ~= 'string' then
  redis.call('SET', KEYS[1], '', 'NX')
  if redis.acl_check_cmd and not redis.acl_check_cmd(commands[kind], KEYS[1], '1', '1', '1', '1') then
    return redis.error_reply('NOPERM this user has no permissions to run the command ' .. commands[kind])
  end
  redis.call('UNLINK', KEYS[1])
end
if kind == 'string' then
  redis.call('SET', KEYS[1], ARGV[4])
elseif kind == 'stream' then
  local at = 4
  while at <= #ARGV do
    local count = tonumber(ARGV[at + 1])
    redis.call('XADD', KEYS[1], ARGV[at], unpack(ARGV, at + 2, at + 1 + count))
    at = at + 2 + count
  end
else
  for from = 4, #ARGV, 1000 do
    redis.call(commands[kind], KEYS[1], unpack(ARGV, from, math.min(from + 999, #ARGV)))
  end
end
if ARGV[3] ~= '' then redis.call('PEXPIREAT', KEYS[1], ARGV[3]) end
return exists and 'updated' or 'inserted'`;

/**
 * Writes keys with their deadlines in one pipeline. Throws CONNECTION_NOT_OPEN if the connection is lost: some of the keys
 * may then be written.
 */
export async function importKeys(
  connection: CommandConnection,
  keys: readonly ImportedKey[],
  mode: WriteMode,
): Promise<KeyOutcome[]> {
  const commands = keys.map(key => commandOf(key, mode));
  const sent = commands.flatMap(command => (command instanceof SandglassError ? [] : [command]));
  const replies = (await connection.pipeline(sent))[Symbol.iterator]();
  return keys.map((key, i): KeyOutcome => {
    const command = commands[i];
    if (command instanceof SandglassError) {
      return { is: 'rejected', code: command.code, message: command.message };
    }
    return outcomeOf(replies.next().value ?? { error: connectionLost('no reply') }, key);
  });
}

function commandOf(key: ImportedKey, mode: WriteMode): Command | SandglassError {
  const { type, value } = formOf(key);
  try {
    const args = valueArguments(key.id, type, value);
    if (args.length === 0)
      throw new SandglassError('INVALID_DOCUMENT', 'Redis cannot create an empty stream.');
    const deadline = key.deadlineAt === null ? '' : String(key.deadlineAt);
    const replaces = mode === 'upsert' ? '1' : '0';
    return ['EVAL', IMPORT_SCRIPT, 1, key.key, replaces, type, deadline, ...args];
  } catch (error) {
    if (error instanceof SandglassError) return error;
    throw error;
  }
}

/** A value of another engine is a text: its JSON, unless it is a text already. */
function formOf({ type, value }: ImportedKey): { type: EditableType; value: JsonValue } {
  if (isEditable(type)) return { type, value };
  return { type: 'string', value: typeof value === 'string' ? value : stringifyJson(value) };
}

function outcomeOf(outcome: Outcome, key: ImportedKey): KeyOutcome {
  if ('error' in outcome) {
    const { error } = outcome;
    if (isConnectionLost(error) || !(error instanceof SandglassError)) throw error;
    return { is: 'rejected', code: error.code, message: error.message };
  }
  const is = textOf(outcome.reply);
  if (is === 'inserted' || is === 'updated')
    return { is, type: formOf(key).type, deadlineAt: key.deadlineAt };
  return keyExists(key.id);
}
