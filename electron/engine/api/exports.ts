import { embedded } from './procedure-guard.ts';

export const exports = {
  read: embedded.exports.read.handler(({ input, context: { engine } }) =>
    engine.backend.reads.exportPage(input, engine.clock.now()),
  ),
};
