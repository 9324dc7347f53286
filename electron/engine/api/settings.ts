import { api } from './procedure-guard.ts';

export const settings = {
  get: api.settings.get.handler(({ context: { engine } }) => engine.backend.settings.get()),
  update: api.settings.update.handler(({ input, context: { engine } }) => {
    const changed = engine.backend.settings.change(input);
    engine.feed.touched();
    return changed;
  }),
};
