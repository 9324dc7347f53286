import type { Feature } from '../../../shared/contract/capabilities.ts';
import type { Job } from '../../../shared/contract/jobs.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { byCaller } from '../access/audit-log.ts';
import type { Governance, RemoteBackend, SchemaControl } from '../backends/backend.ts';
import { runJob } from '../jobs/run-job.ts';
import { remote } from './procedure-guard.ts';

/** The schema in which a remote database keeps TTL indexes, and reports on its tables. */
export const governance = {
  schema: remote.governance.schema.handler(({ context: { engine } }) => schemaOf(engine.backend).schema()),
  createSchema: remote.governance.createSchema.handler(async ({ context: { engine, caller } }) => {
    const created = await schemaOf(engine.backend).createSchema();
    engine.audit.done({ what: 'schema of TTL indexes created', ...byCaller(caller) });
    engine.feed.touched();
    return created;
  }),
  table: remote.governance.table.handler(({ input: { collection, index }, context: { engine } }) =>
    schemaOf(engine.backend).report(collection, { index }),
  ),
  proposal: remote.governance.proposal.handler(({ input: { collection, source }, context: { engine } }) =>
    schemaOf(engine.backend).report(collection, { source }),
  ),
  createIndex: remote.governance.createIndex.handler(async ({ input, context: { engine, caller } }) => {
    const { collection, of } = input;
    if (engine.jobs.list().some(job => isBuildOf(job, collection)))
      throw new SandglassError('BUSY', `An index of ${collection} is being created.`, { collection });
    const { subject, rows, run } = await schemaOf(engine.backend).indexBuild(collection, of);
    const { started } = runJob(
      engine,
      { kind: 'index build', collection, subject, unit: 'documents', total: rows },
      job =>
        run(job.signal, ({ share, waits }) =>
          // The server reports phases; they are shown as a share of the rows.
          job.update({ done: Math.floor(share * rows), subject: waits ? `${subject}, ${WAITS}` : subject }),
        ),
    );
    engine.audit.done({ what: 'index created', ...byCaller(caller) });
    return started;
  }),
};

const WAITS = 'which waits until older transactions have ended';

function isBuildOf({ kind, state, collection }: Job, of: string): boolean {
  return kind === 'index build' && state === 'running' && collection === of;
}

/** Throws NOT_SUPPORTED; the guard refuses other engines before, by their capabilities. */
export function governanceOf({ governance: found }: RemoteBackend): Governance {
  return offered(found, 'ttlIndexes');
}

function schemaOf(backend: RemoteBackend): SchemaControl {
  return offered(governanceOf(backend).schemaControl, 'governance');
}

/** Throws NOT_SUPPORTED if the engine lacks a part. */
export function offered<Part>(part: Part | null, feature: Feature): Part {
  if (part !== null) return part;
  throw new SandglassError('NOT_SUPPORTED', 'The engine of this connection has no such call.', { feature });
}
