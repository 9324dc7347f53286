import { SandglassError } from '../../../shared/model/errors.ts';
import { byCaller } from '../access/audit-log.ts';
import type { Governance, RemoteBackend } from '../backends/backend.ts';
import { remote } from './procedure-guard.ts';

/** The schema in which a remote database keeps TTL indexes, and reports on its tables. */
export const governance = {
  schema: remote.governance.schema.handler(({ context: { engine } }) =>
    governanceOf(engine.backend).schema(),
  ),
  createSchema: remote.governance.createSchema.handler(async ({ context: { engine, caller } }) => {
    const created = await governanceOf(engine.backend).createSchema();
    engine.audit.done({ what: 'schema of TTL indexes created', ...byCaller(caller) });
    engine.feed.touched();
    return created;
  }),
  table: remote.governance.table.handler(({ input: { collection, index }, context: { engine } }) =>
    governanceOf(engine.backend).report(collection, index),
  ),
};

/** Throws NOT_SUPPORTED; the guard refuses other engines before, by their capabilities. */
export function governanceOf({ governance: found }: RemoteBackend): Governance {
  if (found !== null) return found;
  throw new SandglassError('NOT_SUPPORTED', 'The engine of this connection has no such call.', {
    feature: 'governance',
  });
}
