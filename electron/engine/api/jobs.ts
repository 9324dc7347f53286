import type { Job } from '../../../shared/contract/jobs.ts';
import { checkPermission } from '../access/caller.ts';
import { exportRemotePage } from '../jobs/remote-export.ts';
import { api, embedded } from './procedure-guard.ts';

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
]);

export const jobs = {
  list: api.jobs.list.handler(({ context: { engine } }) => engine.jobs.list()),
  get: api.jobs.get.handler(({ input, context: { engine } }) => engine.jobs.get(input.job)),
  cancel: api.jobs.cancel.handler(({ input, context: { engine, caller }, path }) => {
    if (OF_CONFIGURE.has(engine.jobs.get(input.job).kind)) checkPermission(caller, 'configure', path);
    const job = engine.jobs.cancel(input.job, caller.user);
    if (engine.kind === 'embedded') engine.imports.cancelled(input.job);
    return job.state === 'running' ? engine.jobs.get(input.job) : job;
  }),
};

export const imports = {
  start: embedded.imports.start.handler(({ input, context: { engine, caller, gone } }) =>
    engine.imports.start(input, caller.user, gone),
  ),
  append: embedded.imports.append.handler(({ input, context: { engine } }) =>
    engine.imports.append(input.job, input.text),
  ),
  finish: embedded.imports.finish.handler(({ input, context: { engine } }) =>
    engine.imports.finish(input.job),
  ),
};

export const exports = {
  read: api.exports.read.handler(({ input, context: { engine } }) =>
    engine.kind === 'embedded'
      ? engine.backend.reads.exportPage(input, engine.clock.now())
      : exportRemotePage(engine.backend, input, engine.clock.now()),
  ),
};
