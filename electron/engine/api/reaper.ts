import { api } from './procedure-guard.ts';

export const reaper = {
  get: api.reaper.get.handler(({ context: { engine } }) => engine.reaperCalls.state()),
  pause: api.reaper.pause.handler(async ({ input, context: { engine, caller } }) => {
    await engine.reaperCalls.pause(input, caller.user);
    return engine.reaperCalls.state();
  }),
  resume: api.reaper.resume.handler(async ({ input, context: { engine, caller } }) => {
    const { expect, ...scope } = input;
    await engine.reaperCalls.resume(scope, { by: caller.user, expect });
    return engine.reaperCalls.state();
  }),
  run: api.reaper.run.handler(({ input, context: { engine, caller } }) => {
    const { expect, ...scope } = input;
    return engine.reaperCalls.run(scope, { by: caller.user, expect });
  }),
  confirm: api.reaper.confirm.handler(async ({ input, context: { engine, caller } }) => {
    const { expect, ...which } = input;
    await engine.reaperCalls.confirm(which, { by: caller.user, expect });
    return engine.reaperCalls.state();
  }),
  passes: api.reaper.passes.handler(({ input, context: { engine } }) => engine.reaperCalls.passes(input)),
};
