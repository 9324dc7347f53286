import type { JsonValue } from '../../../../../shared/model/json/json.ts';
import { textOfBytes } from '../../../deadline-mirror/bytes-text.ts';
import type { CommandConnection } from '../connection/command-connection.ts';
import { refusalOf } from '../connection/redis-failure.ts';
import { bytesOf, integerOf, listOf, pairsOf, type Reply, textOf } from '../connection/reply.ts';

/** A value, or its beginning. Bytes that are not UTF-8 are `base64:…`. */
export interface RedisValue {
  readonly type: string;
  /**
   * `string`: its text. `hash`: an object. `list`, `set`: an array. `zset`: an array of `[member, score]`, by score.
   * `stream`: an array of `[id, {field: value}]`. Null: a type of a module.
   */
  readonly value: JsonValue;
  /** Bytes of a string, otherwise elements. */
  readonly length: number;
  /** `value` is only a part. */
  readonly isPartial: boolean;
  /** Bytes that the server estimates from samples; null: not reported. */
  readonly bytes: number | null;
}

/** Largest part of a value that is read. */
const LARGEST_VALUE_BYTES = 1_048_576;
export const MOST_ELEMENTS = 1_000;
/** Elements read if the server does not report the size of the value. */
const FEW_ELEMENTS = 100;

interface Reading {
  readonly length: string;
  /** Command that reads about `count` elements. */
  readonly read: (key: Buffer, count: number) => readonly [string, ...(string | number | Buffer)[]];
  readonly parse: (reply: Reply) => JsonValue;
}

const READINGS: Readonly<Record<string, Reading>> = {
  hash: {
    length: 'HLEN',
    read: (key, count) => ['HSCAN', key, '0', 'COUNT', count],
    parse: reply => objectOf(pairsOf(listOf(reply)[1])),
  },
  list: {
    length: 'LLEN',
    read: (key, count) => ['LRANGE', key, 0, count - 1],
    parse: reply => listOf(reply).map(element => textOfBytes(bytesOf(element))),
  },
  set: {
    length: 'SCARD',
    read: (key, count) => ['SSCAN', key, '0', 'COUNT', count],
    parse: reply =>
      listOf(listOf(reply)[1])
        .map(element => textOfBytes(bytesOf(element)))
        .sort(),
  },
  zset: {
    length: 'ZCARD',
    read: (key, count) => ['ZRANGE', key, 0, count - 1, 'WITHSCORES'],
    parse: reply => pairsOf(reply).map(([member, score]) => [textOfBytes(member), scoreOf(score)]),
  },
  stream: {
    length: 'XLEN',
    read: (key, count) => ['XRANGE', key, '-', '+', 'COUNT', count],
    parse: reply =>
      listOf(reply).map(entry => {
        const [id, fields] = listOf(entry);
        return [textOf(id), objectOf(pairsOf(fields))];
      }),
  },
};

/**
 * Reads a value, at most about a MiB of it. Returns null if the key does not exist. Do not call it for a key past its
 * deadline: the server would delete it.
 */
export async function readValue(connection: CommandConnection, key: Buffer): Promise<RedisValue | null> {
  const type = textOf(await connection.command('TYPE', key));
  if (type === 'none') return null;
  const bytes = await memoryUsage(connection, key);
  if (type === 'string') return readString(connection, key, bytes);
  const reading = READINGS[type];
  if (reading === undefined) return { type, value: null, length: 0, isPartial: true, bytes };
  const length = integerOf(await connection.command(reading.length, key));
  const count = elementsToRead(length, bytes);
  const value = count === 0 ? [] : reading.parse(await connection.command(...reading.read(key, count)));
  const read = value !== null && typeof value === 'object' ? Object.keys(value).length : 0;
  return { type, value, length, isPartial: read < length, bytes };
}

/** Returns the bytes that the server estimates for a key and its value from five samples; null: not reported. */
async function memoryUsage(connection: CommandConnection, key: Buffer): Promise<number | null> {
  try {
    const reply = await connection.command('MEMORY', 'USAGE', key);
    return typeof reply === 'number' ? reply : null;
  } catch (error) {
    if (refusalOf(error) === 'NOPERM') return null;
    throw error;
  }
}

async function readString(
  connection: CommandConnection,
  key: Buffer,
  bytes: number | null,
): Promise<RedisValue> {
  const length = integerOf(await connection.command('STRLEN', key));
  const text = bytesOf(await connection.command('GETRANGE', key, 0, LARGEST_VALUE_BYTES - 1));
  const isPartial = length > text.length;
  return {
    type: 'string',
    value: textOfBytes(isPartial ? wholeCharacters(text) : text),
    length,
    isPartial,
    bytes,
  };
}

/** Returns how many elements have about a MiB. */
function elementsToRead(length: number, bytes: number | null): number {
  if (bytes === null) return FEW_ELEMENTS;
  return Math.min(MOST_ELEMENTS, Math.floor(LARGEST_VALUE_BYTES / Math.max(1, bytes / Math.max(1, length))));
}

/** Cuts a UTF-8 character that the end of the range has split. */
function wholeCharacters(text: Buffer): Buffer {
  let end = text.length;
  while (end > text.length - 4 && end > 0 && ((text[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  const first = text[end - 1] ?? 0;
  const width = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return end - 1 + width > text.length ? text.subarray(0, end - 1) : text;
}

function objectOf(pairs: readonly [Buffer, Buffer][]): { [name: string]: JsonValue } {
  return Object.fromEntries(
    pairs.map(([name, value]): [string, JsonValue] => [textOfBytes(name), textOfBytes(value)]).sort(byName),
  );
}

function byName([a]: [string, JsonValue], [b]: [string, JsonValue]): number {
  return a < b ? -1 : 1;
}

/** Infinite scores are texts, as Redis writes them. */
function scoreOf(score: Buffer): number | string {
  const text = score.toString('latin1');
  return Number.isFinite(Number(text)) ? Number(text) : text;
}
