import { SandglassError } from '../../../shared/model/errors.ts';
import { byCaller } from '../access/audit-log.ts';
import type { MirrorControl } from '../backends/backend.ts';
import type { LeaseControl } from '../backends/port/leases.ts';
import type { Engine } from './context.ts';
import { api } from './procedure-guard.ts';

export const mirror = {
  settings: api.mirror.settings.handler(({ context: { engine } }) => controlOf(engine).settings),
  change: api.mirror.change.handler(({ input, context: { engine, caller } }) => {
    const changed = controlOf(engine).change(input);
    engine.audit.done({ what: 'mirror settings changed', ...byCaller(caller) });
    engine.feed.touched();
    return changed;
  }),
  enableNotifications: api.mirror.enableNotifications.handler(async ({ context: { engine, caller } }) => {
    const { enableNotifications } = controlOf(engine);
    if (enableNotifications === null) throw missing('notifications');
    const changed = await enableNotifications();
    engine.audit.done({ what: `notifications turned on (${changed.flags})`, ...byCaller(caller) });
    return changed;
  }),
};

/** The procedure guard has already refused engines without a mirror, by their capabilities. */
function controlOf({ kind, backend }: Engine): MirrorControl {
  if (kind === 'embedded' || backend.mirror === null) throw missing('mirror');
  return backend.mirror;
}

/** Leases, and the keys that are deleted with them. */
export const leases = {
  ofKey: api.leases.ofKey.handler(({ input: { collection, id }, context: { engine } }) =>
    leasesOf(engine).ofKey(collection, id),
  ),
  list: api.leases.list.handler(({ input, context: { engine } }) => leasesOf(engine).list(input)),
  get: api.leases.get.handler(({ input: { id }, context: { engine } }) => leasesOf(engine).get(id)),
  grant: api.leases.grant.handler(({ input: { seconds }, context: { engine } }) =>
    leasesOf(engine).grant(seconds),
  ),
  attach: api.leases.attach.handler(({ input, context: { engine } }) => leasesOf(engine).attach(input)),
  detach: api.leases.detach.handler(({ input, context: { engine } }) => leasesOf(engine).detach(input)),
  keepAlive: api.leases.keepAlive.handler(({ input, context: { engine } }) =>
    leasesOf(engine).keepAlive(input),
  ),
  revoke: api.leases.revoke.handler(async ({ input, context: { engine, caller } }) => {
    const revoked = await leasesOf(engine).revoke(input);
    engine.audit.done({ what: `lease ${input.id} revoked (${revoked.deleted} keys)`, ...byCaller(caller) });
    return revoked;
  }),
};

/** The procedure guard has already refused engines without leases, by their capabilities. */
function leasesOf({ kind, backend }: Engine): LeaseControl {
  if (kind === 'remote' && backend.leases !== null) return backend.leases;
  throw missing('leases');
}

function missing(feature: 'mirror' | 'notifications' | 'leases'): SandglassError {
  return new SandglassError('NOT_SUPPORTED', 'The engine of this connection has no such call.', { feature });
}
