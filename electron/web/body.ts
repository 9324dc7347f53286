import type { IncomingMessage } from 'node:http';
import { ERROR_STATUS } from '../../shared/model/errors.ts';
import { DEEPEST_NESTING, hasNonFinite, hasProtoKey, isTooDeep, parseJson } from '../../shared/model/json.ts';
import type { Failure } from './answer.ts';

/** A JSON body is held in memory: documents of 16 MiB fit, a data set is to be streamed as NDJSON. */
export const LARGEST_BODY_BYTES = 64 * 1024 * 1024;

/** What `curl -d` and forms send along with JSON unless told otherwise is taken for JSON too. */
const READ_AS_JSON = ['', 'application/json', 'text/plain', 'text/json', 'application/x-www-form-urlencoded'];
const NDJSON = ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines'];

export class RefusedBody extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function isNdjson(request: IncomingMessage): boolean {
  return NDJSON.includes(mediaType(request));
}

/**
 * The request's JSON, integers beyond 2^53 as bigint [C1]; undefined where there is no body.
 * Throws RefusedBody: 413 beyond `limit` bytes, 415 for another type, 400 for what is no JSON.
 */
export async function readJsonBody(request: IncomingMessage, limit = LARGEST_BODY_BYTES): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A refusal must reach the sender, so leaving early must not hang up on it.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('a request without an encoding gives buffers');
    bytes += chunk.length;
    if (bytes > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  if (bytes === 0) return undefined;
  const type = mediaType(request);
  if (!READ_AS_JSON.includes(type) && !type.endsWith('+json')) {
    throw new RefusedBody({
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
      message: `A body of type ${type} is not understood here; send application/json.`,
      data: { type },
    });
  }
  return parse(Buffer.concat(chunks));
}

function parse(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (isTooDeep(text))
      throw new SyntaxError(`objects and arrays lie deeper in one another than ${DEEPEST_NESTING}`);
    const value = parseJson(text);
    if (hasNonFinite(value)) throw new SyntaxError('a number is too large to be kept');
    if (hasProtoKey(text, value)) throw new SyntaxError('a key named __proto__ cannot be kept');
    return value;
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it is not UTF-8';
    const message = `The body is not JSON: ${reason}`;
    throw new RefusedBody({ status: ERROR_STATUS.BAD_REQUEST, code: 'BAD_REQUEST', message });
  }
}

function tooLarge(limit: number): RefusedBody {
  return new RefusedBody({
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
    message: `A body has at most ${limit} bytes. Send many documents as application/x-ndjson, which is streamed.`,
    data: { limitBytes: limit },
  });
}
