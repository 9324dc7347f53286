import { ORPCError } from '@orpc/client';
import { type AnyContractProcedure, type AnyContractRouter, isContractProcedure } from '@orpc/contract';
import { type AnyProcedure, os } from '@orpc/server';
import type { EngineLink } from '../engine/running-engine.ts';
import { mergedUpdates } from '../stream/merge-live-updates.ts';

/** The request that a forwarded call belongs to. */
export interface RequestContext extends Record<PropertyKey, unknown> {
  /** Query of the address, `?a=b` or empty. */
  search: string;
  /** Calls with the permission of the sender [P1]. */
  link: EngineLink;
}

export type ForwardRouter = AnyProcedure | { [name: string]: ForwardRouter };

/**
 * Returns a router of all procedures of the contract that have a path; each calls the engine. Inputs, outputs, errors
 * and streams are passed unchanged: the engine validates them once, on its side of the port.
 */
export function forwardRouter(contract: AnyContractRouter, path: readonly string[] = []): ForwardRouter {
  if (isContractProcedure(contract)) return forwardProcedure(contract, path);
  return Object.fromEntries(
    Object.entries(contract)
      .filter(([, child]) => !isContractProcedure(child) || child['~orpc'].route.path !== undefined)
      .map(([name, child]) => [name, forwardRouter(child, [...path, name])]),
  );
}

function forwardProcedure(
  { '~orpc': { route } }: AnyContractProcedure,
  path: readonly string[],
): AnyProcedure {
  const takesBody =
    route.method !== undefined && route.method !== 'GET' && route.inputStructure !== 'detailed';
  return os
    .$context<RequestContext>()
    .route(route)
    .handler(({ input, context, signal, lastEventId }) => {
      if (takesBody && context.search !== '') {
        // If unknown parameters were ignored, `?collection=c` would pause the whole store instead of one collection.
        throw new ORPCError('BAD_REQUEST', {
          message: `${route.method} ${route.path} expects its arguments as JSON in the body, not in the address.`,
        });
      }
      if (path.join('.') === 'live.watch') return mergedUpdates(context.link, signal);
      // A request without a body arrives as null; the contract expects undefined.
      return context.link.call(path, input ?? undefined, {
        context: {},
        ...(signal === undefined ? {} : { signal }),
        ...(lastEventId === undefined ? {} : { lastEventId }),
      });
    });
}
