import { StandardOpenAPIMatcher } from '@orpc/openapi/standard';
import type { Permission } from '../../../shared/contract/permissions.ts';
import { PROCEDURES } from '../../../shared/contract/procedure-facts.ts';
import { LARGEST_BODY_BYTES } from '../../../shared/model/transport/body-limits.ts';
import type { ForwardRouter } from './forward-router.ts';
import { SCRAPE_PATH } from './scrape.ts';

/** The route of a request, found before its body is read. */
export interface Route {
  answeredBy: 'procedure' | 'import' | 'scrape' | 'description';
  /** The procedure of the contract whose permission is required. */
  path: readonly string[];
  permission: Permission;
  largestBodyBytes: number;
  /** Decoded parameters of the path. */
  params: Readonly<Record<string, string>>;
}

/** Resolves to undefined if there is no route. */
export type FindRoute = (method: string, pathname: string) => Promise<Route | undefined>;

/** `POST` of a file to import: not a procedure, since its body is streamed through several. */
const IMPORTS = /^\/api\/collections\/([^/]+)\/imports$/;

/** Finds the routes of the contract, with the same matcher as the handler of `router`, and the routes beside it. */
export function createRoutes(router: ForwardRouter): FindRoute {
  const matcher = new StandardOpenAPIMatcher();
  matcher.init(router);
  const route = (
    answeredBy: Route['answeredBy'],
    path: readonly string[],
    params: Route['params'] = {},
  ): Route => {
    const facts = PROCEDURES.get(path.join('.'));
    if (facts === undefined) throw new Error(`The contract has no procedure named ${path.join('.')}.`);
    const { permission, body = 'other' } = facts;
    return { answeredBy, path, params, permission, largestBodyBytes: LARGEST_BODY_BYTES[body] };
  };
  return async (method, pathname) => {
    if (method === 'GET' && pathname === '/api/openapi.json') return route('description', ['store', 'info']);
    if (method === 'GET' && pathname === SCRAPE_PATH) return route('scrape', ['metrics', 'prometheus']);
    const [, collection] = (method === 'POST' && IMPORTS.exec(pathname)) || [];
    if (collection !== undefined) {
      const name = decoded(collection);
      return name === undefined ? undefined : route('import', ['imports', 'start'], { collection: name });
    }
    if (!isRooted(pathname)) return undefined;
    const found = await matcher.match(method, pathname);
    return found && route('procedure', found.path, found.params);
  };
}

function isRooted(pathname: string): pathname is `/${string}` {
  return pathname.startsWith('/');
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
