import { SandglassError } from '../../../../../shared/model/errors.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../../../../shared/model/json/json.ts';
import { bytesOfText } from '../../../deadline-mirror/bytes-text.ts';
import { EDIT_SCRIPTS, type EditableType } from './edit-scripts.ts';

type Arguments = (string | Buffer)[];

/** Returns the arguments with which a script writes a value of this type. Throws INVALID_DOCUMENT. */
export function valueArguments(id: string, type: EditableType, value: JsonValue | undefined): Arguments {
  return ARGUMENTS[type](id, value);
}

export function isEditable(type: string): type is EditableType {
  return Object.hasOwn(EDIT_SCRIPTS, type);
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
          !/^[+-]?(inf|(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?)$/i.test(text)
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

export function invalid(id: string, problem: string): SandglassError {
  return new SandglassError('INVALID_DOCUMENT', problem, { _id: id });
}
