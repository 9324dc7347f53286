import { z } from 'zod';
import {
  type ConnectionRecord,
  connection,
  connectionTest,
  HOME_CONNECTION,
} from '../../../shared/contract/connections.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { mayDo } from '../platform/caller.ts';
import type { ConnectionCall } from '../platform/connections.ts';
import { api } from './base.ts';
import type { Caller, Context, Engine } from './context.ts';

const removed = z.object({ removed: z.literal(true) });

/** The stores beside this one. What changes them is asked of the host, which holds them all. */
export const connections = {
  list: api.connections.list.handler(({ context: { engine, caller } }) => connectionsFor(engine, caller)),
  test: api.connections.test.handler(async ({ input, context }) =>
    connectionTest.parse(await askHost(context, { what: 'test', input })),
  ),
  add: api.connections.add.handler(async ({ input, context }) =>
    connection.parse(await askHost(context, { what: 'add', input })),
  ),
  change: api.connections.change.handler(async ({ input, context }) =>
    connection.parse(await askHost(context, { what: 'change', input })),
  ),
  open: api.connections.open.handler(async ({ input, context }) =>
    connection.parse(await askHost(context, { what: 'open', input })),
  ),
  close: api.connections.close.handler(async ({ input, context }) =>
    connection.parse(await askHost(context, { what: 'close', input })),
  ),
  remove: api.connections.remove.handler(async ({ input, context }) =>
    removed.parse(await askHost(context, { what: 'remove', input })),
  ),
};

/** What a caller is told of them: whoever may not change the list learns of no other store, nor where it lies [P2]. */
export function connectionsFor({ connections }: Engine, caller: Caller): ConnectionRecord[] {
  const { id, list } = connections;
  const seesAll = mayDo(caller.permission, 'configure') && !isOfOneStore(caller, id);
  return seesAll ? [...list] : list.filter(one => one.id === id);
}

/** A token that was made in another store than the home one opens that store and nothing else [P2]. */
function isOfOneStore({ token }: Caller, id: string): boolean {
  return token !== undefined && id !== HOME_CONNECTION;
}

function askHost({ engine: { connections }, caller }: Context, call: ConnectionCall): Promise<unknown> {
  if (isOfOneStore(caller, connections.id)) {
    throw new SandglassError(
      'PERMISSION_DENIED',
      `The token ${caller.user} was made in this store and opens it alone. Connections are changed by whoever may configure the store that Sandglass was started on.`,
      { user: caller.user },
    );
  }
  return connections.ask(call);
}
