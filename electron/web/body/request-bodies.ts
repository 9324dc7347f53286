import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  DEEPEST_NESTING,
  hasNonFinite,
  hasProtoKey,
  isTooDeep,
  parseJson,
} from '../../../shared/model/json/json.ts';
import { LARGEST_DOCUMENT_BYTES } from '../../../shared/model/names.ts';
import { Slots } from '../../engine/access/concurrency-limit.ts';
import type { Clock } from '../../engine/platform/clock.ts';
import { badBody, documentTooLarge, RefusedBody, tooLarge } from '../answer/refused-body.ts';
import { BUFFERED_PACE, bodyChunks } from './body-chunks.ts';
import { type DocumentPart, DocumentParts } from './document-parts.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** Bodies up to this size need no slot: the number of connections is limited. */
const SMALL_BYTES = 64 * KIB;
/** An array of documents beyond this size is parsed in parts. */
const MEDIUM_BYTES = MIB;

/** Types that are also read as JSON: the defaults of `curl -d` and of forms. */
const READ_AS_JSON = ['', 'application/json', 'text/plain', 'text/json', 'application/x-www-form-urlencoded'];
const NDJSON = ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines'];

function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function isNdjson(request: IncomingMessage): boolean {
  return NDJSON.includes(mediaType(request));
}

/** A parsed body: `value` is undefined if there is no body; `documents` is a large array in parts. */
export type Body = { kind: 'value'; value: unknown } | { kind: 'documents'; parts: readonly DocumentPart[] };

export interface BodyOptions {
  largestBytes: number;
  /** True if the body is a document or an array of documents, each with a document's limit. */
  holdsDocuments: boolean;
}

/**
 * Reads the JSON bodies of all requests to a host. At most two bodies of more than 1 MiB and 64 of more than 64 KiB are
 * in memory at once; the others wait unread.
 */
export class RequestBodies {
  readonly #clock: Pick<Clock, 'setTimer'>;
  readonly #medium = new Slots({ most: 64, mostWaiting: 256, what: 'requests with a large body' });
  readonly #large = new Slots({ most: 2, mostWaiting: 64, what: 'requests with a large body' });

  constructor(clock: Pick<Clock, 'setTimer'>) {
    this.#clock = clock;
  }

  /**
   * Reads the request's JSON and passes it to `use`, with integers beyond 2^53 as bigint [C1]. Throws RefusedBody (413
   * beyond `largestBytes`, 415 for another type, 400 for invalid JSON, 408 for a slow sender), BUSY if too many
   * requests wait, and the errors of `use`.
   */
  async read<Result>(
    request: IncomingMessage,
    response: ServerResponse,
    options: BodyOptions,
    use: (body: Body, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const closed = new AbortController();
    const onClose = () => closed.abort(new Error('the caller has disconnected'));
    response.once('close', onClose);
    const releases: (() => void)[] = [];
    try {
      const body = await this.#receive(request, response, options, async slots => {
        releases.push(await slots.take(closed.signal));
      });
      return await use(body, closed.signal);
    } finally {
      response.off('close', onClose);
      for (const release of releases) release();
    }
  }

  async #receive(
    request: IncomingMessage,
    response: ServerResponse,
    { largestBytes, holdsDocuments }: BodyOptions,
    take: (slots: Slots) => Promise<void>,
  ): Promise<Body> {
    const contentLength = Number(request.headers['content-length'] ?? 0);
    if (contentLength > largestBytes) throw tooLarge(largestBytes);
    if (contentLength > 0) checkMediaType(request);
    const chunks: Buffer[] = [];
    let bytes = 0;
    let documents: DocumentParts | undefined;
    for await (const chunk of bodyChunks(request, response, { clock: this.#clock, pace: BUFFERED_PACE })) {
      const before = bytes;
      bytes += chunk.length;
      if (bytes > largestBytes) throw tooLarge(largestBytes);
      if (before <= SMALL_BYTES && bytes > SMALL_BYTES) await take(this.#medium);
      if (before <= MEDIUM_BYTES && bytes > MEDIUM_BYTES) {
        checkMediaType(request);
        await take(this.#large);
        if (holdsDocuments && isArray(chunks)) {
          documents = new DocumentParts(parseChecked);
          for (const one of chunks.splice(0)) await documents.push(one);
        }
      }
      if (documents !== undefined) await documents.push(chunk);
      else if (holdsDocuments && bytes > LARGEST_DOCUMENT_BYTES) throw documentTooLarge();
      else chunks.push(chunk);
    }
    if (documents !== undefined) return { kind: 'documents', parts: documents.end() };
    if (bytes === 0) return { kind: 'value', value: undefined };
    checkMediaType(request);
    return { kind: 'value', value: parseBytes(Buffer.concat(chunks)) };
  }
}

function checkMediaType(request: IncomingMessage): void {
  const type = mediaType(request);
  if (READ_AS_JSON.includes(type) || type.endsWith('+json')) return;
  throw new RefusedBody({
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: `A body of type ${type} is not supported; send application/json.`,
    data: { type },
  });
}

/** Decides by the first character after white space and a byte order mark. */
function isArray(chunks: readonly Buffer[]): boolean {
  for (const chunk of chunks)
    for (const byte of chunk)
      if (![0x20, 0x0a, 0x0d, 0x09, 0xef, 0xbb, 0xbf].includes(byte)) return byte === 0x5b;
  return false;
}

function parseBytes(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badBody('The body is not JSON: it is not UTF-8');
  }
  return parseChecked(text);
}

/** Throws RefusedBody for invalid JSON, and for JSON that cannot be stored [C1]. */
function parseChecked(text: string): unknown {
  try {
    if (isTooDeep(text))
      throw new SyntaxError(`objects and arrays are nested deeper than ${DEEPEST_NESTING}`);
    const value = parseJson(text);
    if (hasNonFinite(value)) throw new SyntaxError('a number is too large to be stored');
    if (hasProtoKey(text, value)) throw new SyntaxError('a key named __proto__ cannot be stored');
    return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badBody(`The body is not JSON: ${error.message}`);
  }
}
