import { OpenAPIHandler } from '@orpc/openapi/fetch';
import { connectToLocalSocket } from '../../../electron/host/local-socket/socket-client.ts';
import { restErrorBody } from '../../../electron/web/answer/rest-errors.ts';
import type { EngineLink } from '../../../electron/web/engine/running-engine.ts';
import { forwardRouter } from '../../../electron/web/rest/forward-router.ts';
import { integerText } from '../../../electron/web/rest/integer-text.ts';
import { contract } from '../../../shared/contract/index.ts';
import { fetchFrom, type ServedHost } from '../../support/served-host.ts';

/** Sends a REST call. Returns the parsed body. Throws on an error status. */
export type Rest = (method: string, path: string, body?: unknown) => Promise<unknown>;

function parsed(method: string, path: string, { status, text }: { status: number; text: string }): unknown {
  if (status >= 400) throw new Error(`${method} ${path}: ${status} ${text}`);
  return JSON.parse(text);
}

const contentOf = (body: unknown) =>
  body === undefined
    ? { headers: {} }
    : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };

export function restOfHost(host: ServedHost): Rest {
  return async (method, path, body) => {
    const content = contentOf(body);
    return parsed(method, path, await fetchFrom(host, method, path, content.body, content.headers));
  };
}

/** REST for the desktop, which serves none: the served host's routes forward each request to its local socket. */
export async function restThroughSocket(path: string): Promise<{ rest: Rest; close(): void }> {
  const { client, close } = await connectToLocalSocket(path);
  const link: EngineLink = {
    async call(names, input, options) {
      const procedure = names.reduce((found: unknown, step) => Reflect.get(Object(found), step), client);
      if (typeof procedure !== 'function') throw new Error(`there is no ${names.join('.')}`);
      return procedure(input, options);
    },
  };
  const handler = new OpenAPIHandler(forwardRouter(contract), {
    customJsonSerializers: [integerText],
    customErrorResponseBodyEncoder: restErrorBody,
  });
  const rest: Rest = async (method, path, body) => {
    const url = new URL(path, 'http://desktop');
    const request = new Request(url, { method, ...contentOf(body) });
    const { response } = await handler.handle(request, { context: { search: url.search, link } });
    if (response === undefined) throw new Error(`there is no ${method} ${path}`);
    return parsed(method, path, { status: response.status, text: await response.text() });
  };
  return { rest, close };
}
