import { SandglassError } from '../../../../../shared/model/errors.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../../../../shared/model/json/json.ts';
import { bytesOfText } from '../../../deadline-mirror/bytes-text.ts';
import type { CommandConnection } from '../connection/command-connection.ts';
import { refusalOf } from '../connection/redis-failure.ts';
import { textOf } from '../connection/reply.ts';
import { EDIT_SCRIPTS, type EditableType } from './edit-scripts.ts';
import { MOST_ELEMENTS } from './redis-value.ts';

/** A key as an edit names it, with the form in which `readValue` returns its value. */
export interface Edit {
  readonly id: string;
  readonly key: Buffer;
  readonly type: string;
  readonly value: JsonValue | undefined;
}

type Arguments = (string | Buffer)[];

/**
 * Replaces a value in place, and keeps its TTL. Throws DOCUMENT_NOT_FOUND if the key expired or was deleted meanwhile
 * (it is not created again), EXPECTATION_FAILED if it has another type by now, INVALID_DOCUMENT for a value that this
 * type cannot have, and DOCUMENT_TOO_LARGE for a value with more elements than are shown.
 */
export async function editValue(connection: CommandConnection, edit: Edit): Promise<void> {
  const { id, key, type, value } = edit;
  if (!isEditable(type)) throw invalid(id, `Values of the type ${type} cannot be changed here.`);
  const args = ARGUMENTS[type](id, value);
  let answer: string;
  try {
    answer = textOf(await connection.command('EVAL', EDIT_SCRIPTS[type], 1, key, ...args));
  } catch (error) {
    if (type !== 'string' || refusalOf(error) !== 'NOPERM') throw error;
    answer = await editStringWithoutScript(connection, key, args[0] ?? '');
  }
  if (answer !== 'ok') throw conflict(id, type, answer);
}

/** For users without permission for scripts. If the type changes between the two commands, the value is overwritten. */
async function editStringWithoutScript(
  connection: CommandConnection,
  key: Buffer,
  value: string | Buffer,
): Promise<string> {
  const type = textOf(await connection.command('TYPE', key));
  if (type !== 'string') return type;
  const reply = await connection.command('SET', key, value, 'XX', 'KEEPTTL');
  return reply === null ? 'none' : 'ok';
}

const ARGUMENTS: Readonly<Record<EditableType, (id: string, value: JsonValue | undefined) => Arguments>> = {
  string: (id, value) => [bytes(id, value)],
  hash: (id, value) => {
    if (!isObject(value)) throw invalid(id, 'The value of a hash is an object of texts.');
    return notEmpty(id, objectArguments(id, value));
  },
  list: (id, value) =>
    notEmpty(
      id,
      listed(id, value, 'list').map(element => bytes(id, element)),
    ),
  set: (id, value) =>
    notEmpty(
      id,
      listed(id, value, 'set').map(element => bytes(id, element)),
    ),
  zset: (id, value) =>
    notEmpty(
      id,
      listed(id, value, 'sorted set').flatMap(element => {
        const [member, score, ...rest] = Array.isArray(element) ? element : [];
        const text = typeof score === 'number' ? String(score) : score;
        if (
          rest.length > 0 ||
          typeof text !== 'string' ||
          !/^([+-]?inf|[+-]?[\d.]+(e[+-]?\d+)?)$/i.test(text)
        ) {
          throw invalid(
            id,
            'An element of a sorted set is [member, score]; a score is a number, "inf" or "-inf".',
          );
        }
        return [text, bytes(id, member)];
      }),
    ),
  stream: (id, value) =>
    listed(id, value, 'stream').flatMap(element => {
      const [entry, fields] = Array.isArray(element) ? element : [];
      if (typeof entry !== 'string' || !isObject(fields)) {
        throw invalid(id, 'An element of a stream is [id, {field: value}].');
      }
      const flat = objectArguments(id, fields);
      return [entry, String(flat.length), ...flat];
    }),
};

function isEditable(type: string): type is EditableType {
  return Object.hasOwn(EDIT_SCRIPTS, type);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectArguments(id: string, value: JsonObject): Arguments {
  return Object.entries(value).flatMap(([field, text]) => [bytesOfText(field), bytes(id, text)]);
}

function listed(id: string, value: JsonValue | undefined, what: string): JsonValue[] {
  if (!Array.isArray(value)) throw invalid(id, `The value of a ${what} is an array.`);
  return value;
}

function notEmpty(id: string, args: Arguments): Arguments {
  if (args.length > 0) return args;
  throw invalid(id, 'Redis has no empty hashes, lists, sets and sorted sets. To remove the key, delete it.');
}

/** Numbers and booleans are stored as JSON text: Redis has only texts. */
function bytes(id: string, value: JsonValue | undefined): Buffer {
  if (typeof value === 'string') return bytesOfText(value);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
    return Buffer.from(stringifyJson(value));
  }
  throw invalid(id, 'A value in Redis is a text. Write JSON as a text.');
}

function conflict(id: string, type: EditableType, answer: string): SandglassError {
  if (answer === 'none') {
    return new SandglassError(
      'DOCUMENT_NOT_FOUND',
      `The key ${id} expired or was deleted meanwhile; nothing was written.`,
      { _id: id },
    );
  }
  if (answer === 'large') {
    return new SandglassError(
      'DOCUMENT_TOO_LARGE',
      `The ${type} ${id} has more than ${MOST_ELEMENTS} elements, of which only a part is shown; nothing was written.`,
      { _id: id },
    );
  }
  if (answer === 'entry') return invalid(id, 'Entries of a stream can be removed, but not added or changed.');
  return new SandglassError(
    'EXPECTATION_FAILED',
    `The key ${id} is a ${answer} by now, not a ${type}; nothing was written.`,
    { _id: id, type: answer },
  );
}

function invalid(id: string, problem: string): SandglassError {
  return new SandglassError('INVALID_DOCUMENT', problem, { _id: id });
}
