import { api } from './procedure-guard.ts';

export const exports = {
  read: api.exports.read.handler(({ input, context: { engine } }) =>
    engine.backend.reads.exportPage(input, engine.clock.now()),
  ),
};
