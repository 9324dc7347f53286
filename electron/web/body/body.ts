import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  DEEPEST_NESTING,
  hasNonFinite,
  hasProtoKey,
  isTooDeep,
  parseJson,
} from '../../../shared/model/json/json.ts';
import { LARGEST_DOCUMENT_BYTES } from '../../../shared/model/names.ts';
import { Slots } from '../../engine/access/slots.ts';
import type { Clock } from '../../engine/platform/clock.ts';
import { badBody, documentTooLarge, RefusedBody, tooLarge } from '../answer/refused-body.ts';
import { bodyChunks, HELD_PACE } from './body-chunks.ts';
import { DocumentParts } from './document-parts.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** A body up to this size waits for nothing: connections are bounded. */
const SMALL_BYTES = 64 * KIB;
/** A body beyond this size is parsed in parts where it is a list of documents. */
const MEDIUM_BYTES = MIB;

/** What `curl -d` and forms send along with JSON unless told otherwise is taken for JSON too. */
const READ_AS_JSON = ['', 'application/json', 'text/plain', 'text/json', 'application/x-www-form-urlencoded'];
const NDJSON = ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines'];

function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function isNdjson(request: IncomingMessage): boolean {
  return NDJSON.includes(mediaType(request));
}

/** What a body holds: undefined where there is none, and a large list of documents as the lines of NDJSON. */
export type Body = { kind: 'value'; value: unknown } | { kind: 'documents'; parts: readonly string[] };

export interface BodyOptions {
  largestBytes: number;
  /** One document, or a list of them: each has the limit of a document. */
  holdsDocuments: boolean;
}

/**
 * The JSON bodies of all requests of a host. At most two of more than 1 MiB and 64 of more than 64 KiB are read and
 * answered at once; others wait unread, so that memory is bounded whatever is sent.
 */
export class Bodies {
  readonly #clock: Pick<Clock, 'setTimer'>;
  readonly #medium = new Slots({ most: 64, mostWaiting: 256, what: 'requests with a large body' });
  readonly #large = new Slots({ most: 2, mostWaiting: 64, what: 'requests with a large body' });

  constructor(clock: Pick<Clock, 'setTimer'>) {
    this.#clock = clock;
  }

  /**
   * Reads the request's JSON and hands it to `use`, integers beyond 2^53 as bigint [C1]. Throws RefusedBody: 413 beyond
   * `largestBytes`, 415 for another type, 400 for what is no JSON, 408 where it comes too slowly; BUSY where too many wait;
   * what `use` throws.
   */
  async read<Result>(
    request: IncomingMessage,
    response: ServerResponse,
    options: BodyOptions,
    use: (body: Body, gone: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const gone = new AbortController();
    const leave = () => gone.abort(new Error('the caller has gone'));
    response.once('close', leave);
    const held: (() => void)[] = [];
    try {
      const body = await this.#receive(request, response, options, async slots => {
        held.push(await slots.take(gone.signal));
      });
      return await use(body, gone.signal);
    } finally {
      response.off('close', leave);
      for (const giveBack of held) giveBack();
    }
  }

  async #receive(
    request: IncomingMessage,
    response: ServerResponse,
    { largestBytes, holdsDocuments }: BodyOptions,
    take: (slots: Slots) => Promise<void>,
  ): Promise<Body> {
    const isSaidToBe = Number(request.headers['content-length'] ?? 0);
    if (isSaidToBe > largestBytes) throw tooLarge(largestBytes);
    if (isSaidToBe > 0) refuseOtherTypes(request);
    const chunks: Buffer[] = [];
    let bytes = 0;
    let documents: DocumentParts | undefined;
    for await (const chunk of bodyChunks(request, response, { clock: this.#clock, pace: HELD_PACE })) {
      const before = bytes;
      bytes += chunk.length;
      if (bytes > largestBytes) throw tooLarge(largestBytes);
      if (before <= SMALL_BYTES && bytes > SMALL_BYTES) await take(this.#medium);
      if (before <= MEDIUM_BYTES && bytes > MEDIUM_BYTES) {
        refuseOtherTypes(request);
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
    refuseOtherTypes(request);
    return { kind: 'value', value: parseBytes(Buffer.concat(chunks)) };
  }
}

function refuseOtherTypes(request: IncomingMessage): void {
  const type = mediaType(request);
  if (READ_AS_JSON.includes(type) || type.endsWith('+json')) return;
  throw new RefusedBody({
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: `A body of type ${type} is not understood here; send application/json.`,
    data: { type },
  });
}

/** By the first character that is no white space and no byte order mark. */
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

/** Throws RefusedBody for what is no JSON, or none that can be kept [C1]. */
function parseChecked(text: string): unknown {
  try {
    if (isTooDeep(text))
      throw new SyntaxError(`objects and arrays lie deeper in one another than ${DEEPEST_NESTING}`);
    const value = parseJson(text);
    if (hasNonFinite(value)) throw new SyntaxError('a number is too large to be kept');
    if (hasProtoKey(text, value)) throw new SyntaxError('a key named __proto__ cannot be kept');
    return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badBody(`The body is not JSON: ${error.message}`);
  }
}
