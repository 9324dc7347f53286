import { basename } from 'node:path';
import { api } from './base.ts';
import { loadSampleData } from './sample-data.ts';

export const store = {
  info: api.store.info.handler(({ context: { engine, caller } }) => ({
    file: engine.backend.file,
    name: basename(engine.backend.file),
    version: engine.version,
    bytes: engine.backend.bytes(),
    revision: engine.backend.revision,
    now: engine.clock.now(),
    user: caller.user,
    permission: caller.permission,
    role: 'leader' as const,
    leader: null,
  })),
  loadSampleData: api.store.loadSampleData.handler(({ input, context: { engine, caller } }) =>
    loadSampleData(engine, caller, input?.documents),
  ),
};
