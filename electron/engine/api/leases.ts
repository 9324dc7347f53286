import { SandglassError } from '../../../shared/model/errors.ts';
import { byCaller } from '../access/audit-log.ts';
import type { LeaseControl } from '../backends/port/leases.ts';
import type { Engine } from './context.ts';
import { api } from './procedure-guard.ts';

/** Leases, and the keys that are deleted with them. */
export const leases = {
  ofKey: api.leases.ofKey.handler(({ input: { collection, id }, context: { engine } }) =>
    controlOf(engine).ofKey(collection, id),
  ),
  get: api.leases.get.handler(({ input: { id }, context: { engine } }) => controlOf(engine).get(id)),
  keepAlive: api.leases.keepAlive.handler(({ input, context: { engine } }) =>
    controlOf(engine).keepAlive(input),
  ),
  revoke: api.leases.revoke.handler(async ({ input, context: { engine, caller } }) => {
    const revoked = await controlOf(engine).revoke(input);
    engine.audit.done({ what: `lease ${input.id} revoked (${revoked.deleted} keys)`, ...byCaller(caller) });
    return revoked;
  }),
};

/** The procedure guard has already refused engines without leases, by their capabilities. */
function controlOf({ kind, backend }: Engine): LeaseControl {
  if (kind === 'remote' && backend.leases !== null) return backend.leases;
  throw new SandglassError('NOT_SUPPORTED', 'The engine of this connection has no leases.', {
    feature: 'leases',
  });
}
