import { ORPCError } from '@orpc/client';
import { type AnyContractProcedure, type AnyContractRouter, isContractProcedure } from '@orpc/contract';
import { type AnyProcedure, os } from '@orpc/server';
import type { EngineLink } from '../engine/running-engine.ts';
import { latestUpdates } from '../stream/live-stream.ts';

/** What a forwarded call knows of the request it came with. */
export interface RequestContext extends Record<PropertyKey, unknown> {
  /** The address's query, `?a=b` or empty. */
  search: string;
  /** Speaks for whoever sent it [P1]. */
  link: EngineLink;
}

export type ForwardRouter = AnyProcedure | { [name: string]: ForwardRouter };

/**
 * A router with every procedure of the contract that has a path, each of which asks the engine. Inputs, outputs,
 * errors and streams pass as they are: the engine validates, once, on its side of the port.
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
        // Ignoring it could pause the whole store where one collection was meant.
        throw new ORPCError('BAD_REQUEST', {
          message: `${route.method} ${route.path} takes its arguments as JSON in the body, not in the address.`,
        });
      }
      if (path.join('.') === 'live.watch') return latestUpdates(context.link, signal);
      // A request without a body arrives as null; the contract calls that nothing.
      return context.link.call(path, input ?? undefined, {
        context: {},
        ...(signal === undefined ? {} : { signal }),
        ...(lastEventId === undefined ? {} : { lastEventId }),
      });
    });
}
