import type { IncomingMessage, ServerResponse } from 'node:http';
import { OpenAPIHandler } from '@orpc/openapi/node';
import { contract } from '../../shared/contract/index.ts';
import { CONNECTION_PARAMETER } from '../../shared/model/connection-id.ts';
import { errorFields, type Logger } from '../engine/platform/logger.ts';
import type { Admit } from './admission.ts';
import { answerFailure, answerJson } from './answer.ts';
import { importInBackground } from './background-import.ts';
import { isNdjson, LARGEST_BODY_BYTES, readJsonBody } from './body.ts';
import { forwardRouter } from './forward.ts';
import { integerText } from './integer-text.ts';
import { uploadNdjson, uploadTo } from './ndjson-upload.ts';
import { expectedFailure, restErrorBody } from './rest-errors.ts';
import type { EngineLink, RunningEngine } from './running-engine.ts';
import { answerScrape, SCRAPE_PATH } from './scrape.ts';
import { bearerToken } from './token.ts';

/** How long a stream of events may wait for a reader that takes nothing. Others hear something every five seconds. */
const STALLED_AFTER_MS = 60_000;

/** Macrometa's address of the one call of theirs that is answered here. */
const MACROMETA = /^\/_fabric\/_system(?=\/_api\/index\/ttl$)/;

export interface RestNeeds {
  admit: Admit<Pick<RunningEngine, 'linkOf'>>;
  version: string;
  log: Logger;
  largestBodyBytes?: number;
}

/** Whether REST answers at an address; everything else is a file. */
export function isRest(pathname: string): boolean {
  return pathname === '/api' || pathname === SCRAPE_PATH || /^\/(api|_api|_fabric)\//.test(pathname);
}

/** Answers requests to the REST routes, which are the contract's. */
export function createRest(
  needs: RestNeeds,
): (url: URL, request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { admit, version, log, largestBodyBytes = LARGEST_BODY_BYTES } = needs;
  const handler = new OpenAPIHandler(forwardRouter(contract), {
    customJsonSerializers: [integerText],
    customErrorResponseBodyEncoder: restErrorBody,
  });

  async function answer(
    link: EngineLink,
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (request.method === 'GET' && url.pathname === '/api/openapi.json') {
      // Loaded when asked for: no start has to wait for it.
      const { describeApi } = await import('./openapi.ts');
      return answerJson(response, 200, await describeApi(version));
    }
    if (request.method === 'GET' && url.pathname === SCRAPE_PATH) return answerScrape(link, response);
    const imported = uploadTo('imports', request.method, url.pathname);
    if (imported !== undefined) {
      return answerJson(
        response,
        202,
        await importInBackground(link, imported, url.searchParams, request, log),
      );
    }
    const collection = uploadTo('documents', request.method, url.pathname);
    if (collection !== undefined && isNdjson(request)) {
      return answerJson(response, 200, await uploadNdjson(link, collection, url.searchParams, request));
    }
    const body = request.method === 'GET' ? undefined : await readJsonBody(request, largestBodyBytes);
    const path = url.pathname.replace(MACROMETA, '');
    // The adapter takes a body that was read already, and reads for itself only where there is none at all.
    const read = Object.assign(request, { body: body ?? null, url: path + url.search });
    response.once('pipe', () => response.setTimeout(STALLED_AFTER_MS, () => response.destroy()));
    response.setHeader('cache-control', 'no-store');
    const { matched } = await handler.handle(read, response, { context: { search: url.search, link } });
    if (!matched) {
      answerFailure(response, {
        status: 404,
        code: 'NOT_FOUND',
        message: `There is no ${request.method} ${url.pathname}; /api/openapi.json lists what there is.`,
      });
    }
  }

  return async (url, request, response) => {
    try {
      const connection = url.searchParams.get(CONNECTION_PARAMETER) ?? undefined;
      // It says where to ask; what is asked does not know it.
      if (connection !== undefined) url.searchParams.delete(CONNECTION_PARAMETER);
      const admitted = await admit(bearerToken(request.headers.authorization), connection);
      if (admitted === null) {
        response.setHeader('www-authenticate', 'Bearer');
        return answerFailure(response, {
          status: 401,
          code: 'UNAUTHORIZED',
          message:
            'This needs the header “Authorization: Bearer TOKEN” with the token of the printed address, or one that was made in this store and not revoked.',
        });
      }
      await answer(admitted.engine.linkOf(admitted.caller), url, request, response);
    } catch (error) {
      if (request.destroyed && !response.writable) return;
      const failure = expectedFailure(error);
      if (failure === undefined) log.error('a request failed', { path: url.pathname, ...errorFields(error) });
      // A sender in the middle of its body hears the answer only once it has sent the rest.
      request.resume();
      answerFailure(
        response,
        failure ?? {
          status: 500,
          code: 'INTERNAL_SERVER_ERROR',
          message: 'Something failed here; the log says what.',
        },
      );
    }
  };
}
