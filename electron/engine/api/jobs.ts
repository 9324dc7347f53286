import type { Job } from '../../../shared/contract/jobs.ts';
import { SOON_MS } from '../../../shared/model/confirmation-rule.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { checkPermission } from '../access/caller.ts';
import { exportRemotePage } from '../jobs/remote-export.ts';
import { undoExpirations } from '../jobs/undo-expirations.ts';
import { checkEffect, effectOf } from './effects.ts';
import { api, remote } from './procedure-guard.ts';

/** Jobs that need `configure`, also to be cancelled: cancelling a build drops its index [P1]. */
const OF_CONFIGURE: ReadonlySet<Job['kind']> = new Set([
  'index build',
  'recount',
  'apply policy',
  'restore',
  'purge',
  'backup',
  'compact',
  'check',
  'recovery',
]);

export const jobs = {
  list: api.jobs.list.handler(({ context: { engine } }) => engine.jobs.list()),
  get: api.jobs.get.handler(({ input, context: { engine } }) => engine.jobs.get(input.job)),
  cancel: api.jobs.cancel.handler(({ input, context: { engine, caller }, path }) => {
    if (OF_CONFIGURE.has(engine.jobs.get(input.job).kind)) checkPermission(caller, 'configure', path);
    const job = engine.jobs.cancel(input.job, caller.user);
    engine.imports.cancelled(input.job);
    return job.state === 'running' ? engine.jobs.get(input.job) : job;
  }),
  undo: remote.jobs.undo.handler(async ({ input: { job, expect }, context: { engine } }) => {
    const { undo, revision } = engine.backend;
    if (engine.jobs.list().some(({ id, state }) => id === job && state === 'running'))
      throw new SandglassError('BUSY', 'The job is running. Cancel it first, or wait for its end.', { job });
    if (undo === null || undo.kept(job) === 0) throw notKept(job);
    // Documents that are due soon again need the confirmation that any change of deadlines needs [R8].
    const effect = await effectOf(engine, undo.dueBy(job, engine.clock.now() + SOON_MS));
    if (expect !== undefined || effect.needsConfirmation) checkEffect(effect, expect);
    const [first] = undo.page(job, '', 1);
    return undoExpirations({ ...engine, revision }, undo, { job, collection: first?.collection ?? '' });
  }),
};

function notKept(job: string): SandglassError {
  return new SandglassError(
    'JOB_NOT_FOUND',
    'No deadlines are kept of this job: it changed none, was undone, or later changes took its place.',
    { job },
  );
}

export const imports = {
  start: api.imports.start.handler(({ input, context: { engine, caller, gone } }) =>
    engine.imports.start(input, caller.user, gone),
  ),
  append: api.imports.append.handler(({ input, context: { engine } }) =>
    engine.imports.append(input.job, input.text),
  ),
  finish: api.imports.finish.handler(({ input, context: { engine } }) => engine.imports.finish(input.job)),
};

export const exports = {
  read: api.exports.read.handler(({ input, context: { engine } }) =>
    engine.kind === 'embedded'
      ? engine.backend.reads.exportPage(input, engine.clock.now())
      : exportRemotePage(engine.backend, input, engine.clock.now()),
  ),
};
