import type { IncomingMessage, ServerResponse } from 'node:http';
import { OpenAPIHandler } from '@orpc/openapi/node';
import { contract } from '../../../shared/contract/index.ts';
import { isJsonObject } from '../../../shared/model/json/json.ts';
import { LARGEST_BODY_BYTES } from '../../../shared/model/transport/body-limits.ts';
import { CONNECTION_PARAMETER } from '../../../shared/model/transport/connection-id.ts';
import { type Caller, checkPermission } from '../../engine/access/caller.ts';
import type { Clock } from '../../engine/platform/clock.ts';
import { defect } from '../../engine/platform/defect.ts';
import type { Logger } from '../../engine/platform/logger.ts';
import { badBody } from '../answer/refused-body.ts';
import { answerFailure, answerJson } from '../answer/response.ts';
import { expectedFailure, failureOf, restErrorBody } from '../answer/rest-errors.ts';
import { permissionRefusal } from '../authentication/refusal-log.ts';
import type { Admit } from '../authentication/request-admission.ts';
import { bearerToken } from '../authentication/token.ts';
import { bodyChunks, STREAMED_PACE } from '../body/body-chunks.ts';
import { writeParts } from '../body/document-upload.ts';
import { importFile } from '../body/file-import.ts';
import { uploadNdjson } from '../body/ndjson-upload.ts';
import { type Body, isNdjson, RequestBodies } from '../body/request-bodies.ts';
import type { EngineLink, RunningEngine } from '../engine/running-engine.ts';
import { EventPages } from '../stream/event-pages.ts';
import { answerEvents } from '../stream/event-stream.ts';
import { forwardRouter } from './forward-router.ts';
import { integerText } from './integer-text.ts';
import { createRoutes, type Route } from './routes.ts';
import { answerScrape, SCRAPE_PATH } from './scrape.ts';

/** Macrometa's address for creating a TTL index, the only one of its calls that is supported. */
const MACROMETA = /^\/_fabric\/_system(?=\/_api\/index\/ttl$)/;

export interface RestOptions {
  /** Called with a request that is refused because of its token. */
  onRefused?: (request: IncomingMessage, reason: string) => void;
  admit: Admit<Pick<RunningEngine, 'linkOf'>>;
  version: string;
  clock: Pick<Clock, 'setTimer'>;
  log: Logger;
}

/** Returns whether a path belongs to REST; every other path is a file. */
export function isRest(pathname: string): boolean {
  return pathname === '/api' || pathname === SCRAPE_PATH || /^\/(api|_api|_fabric)\//.test(pathname);
}

interface Exchange {
  route: Route;
  engine: object;
  caller: Caller;
  link: EngineLink;
  url: URL;
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * Returns the handler of REST requests. It checks every request in the same order: the token, the route, the token's
 * permission for that route, and only then the body, up to the route's limit.
 */
export function createRest(
  options: RestOptions,
): (url: URL, request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { admit, onRefused = () => {}, version, clock, log } = options;
  const router = forwardRouter(contract);
  const handler = new OpenAPIHandler(router, {
    customJsonSerializers: [integerText],
    customErrorResponseBodyEncoder: restErrorBody,
  });
  const findRoute = createRoutes(router);
  const bodies = new RequestBodies(clock);
  const eventPages = new EventPages();

  async function answer(exchange: Exchange): Promise<void> {
    const { route, engine, caller, link, url, request, response } = exchange;
    if (route.answeredBy === 'description') {
      // Loaded on demand, to keep the host's start short.
      const { describeApi } = await import('./openapi.ts');
      return answerJson(response, 200, await describeApi(version));
    }
    if (route.answeredBy === 'scrape') return answerScrape(link, response);
    const collection = route.params.collection ?? '';
    const query = url.searchParams;
    const streamed = () => bodyChunks(request, response, { clock, pace: STREAMED_PACE });
    if (route.answeredBy === 'import') {
      const { 'content-type': contentType, 'content-length': length } = request.headers;
      const contentLength = length === undefined ? undefined : Number(length);
      const file = { collection, query, contentType, contentLength };
      return answerJson(response, 202, await importFile(link, file, streamed()));
    }
    if (isDocuments(route) && isNdjson(request))
      return answerJson(response, 200, await uploadNdjson(link, collection, query, streamed()));
    if (route.path.join('.') === 'events.watch') {
      const [from, watched] = [query.get('from') ?? undefined, query.get('collection') ?? undefined];
      return answerEvents(eventPages.reader(engine, caller.token, link, watched), from, request, response);
    }
    if (request.method === 'GET') return await answerCall(exchange, undefined);
    const { largestBodyBytes: largestBytes } = route;
    const limits = { largestBytes, holdsDocuments: largestBytes === LARGEST_BODY_BYTES.documents };
    await bodies.read(request, response, limits, async (body, signal) => {
      if (body.kind === 'value') await answerCall(exchange, checkedBody(route, body));
      else if (isDocuments(route))
        answerJson(response, 200, await writeParts(link, collection, query, body.parts, signal));
      else throw badBody('The body must be a JSON object.');
    });
  }

  /** Calls the procedure of the route. The body has been read. */
  async function answerCall({ link, url, request, response }: Exchange, body: unknown): Promise<void> {
    // The adapter reads the request itself only if it has no property `body`.
    const read = Object.assign(request, { body: body ?? null, url: url.pathname + url.search });
    response.setHeader('cache-control', 'no-store');
    const { matched } = await handler.handle(read, response, { context: { search: url.search, link } });
    if (!matched) throw new Error(`no procedure handles the route of ${url.pathname}`);
  }

  async function take(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const connection = url.searchParams.get(CONNECTION_PARAMETER) ?? undefined;
    // No procedure has this parameter.
    if (connection !== undefined) url.searchParams.delete(CONNECTION_PARAMETER);
    const admitted = await admit(bearerToken(request.headers.authorization), connection);
    if (admitted === null) {
      onRefused(request, 'unknown token');
      return refuseToken(response);
    }
    const { engine, caller } = admitted;
    const { pathname } = url;
    url.pathname = pathname.replace(MACROMETA, '');
    const route = await findRoute(request.method ?? '', url.pathname);
    if (route === undefined) {
      return answerFailure(response, {
        status: 404,
        code: 'NOT_FOUND',
        message: `There is no ${request.method} ${pathname}; /api/openapi.json lists all routes.`,
      });
    }
    try {
      checkPermission(caller, route.permission, route.path);
    } catch (error) {
      onRefused(request, permissionRefusal(caller, route.permission, route.path));
      throw error;
    }
    await answer({ route, engine, caller, link: engine.linkOf(caller), url, request, response });
  }

  return async (url, request, response) => {
    try {
      await take(url, request, response);
    } catch (error) {
      if (request.destroyed && !response.writable) return;
      const failure = expectedFailure(error);
      answerFailure(response, failure ?? failureOf(defect(log, `${request.method} ${url.pathname}`, error)));
    }
  };
}

function isDocuments({ path }: Route): boolean {
  return path.join('.') === 'documents.write';
}

/** Throws RefusedBody unless the body is an object, an array of documents if the route takes one, or missing. */
function checkedBody(route: Route, { value }: Extract<Body, { kind: 'value' }>): unknown {
  if (value === undefined || isJsonObject(value) || (isDocuments(route) && Array.isArray(value)))
    return value;
  throw badBody(
    isDocuments(route)
      ? 'The body must be a document as a JSON object, or an array of documents.'
      : 'The body must be a JSON object.',
  );
}

function refuseToken(response: ServerResponse): void {
  response.setHeader('www-authenticate', 'Bearer');
  answerFailure(response, {
    status: 401,
    code: 'UNAUTHORIZED',
    message:
      'This route needs the header “Authorization: Bearer TOKEN”, with the token of the printed address or a valid token of this store.',
  });
}
