import { alerts } from './alerts.ts';
import { collections } from './collections.ts';
import { connections } from './connections.ts';
import { documents } from './documents.ts';
import { events } from './events.ts';
import { expired } from './expired.ts';
import { governance } from './governance.ts';
import { exports, imports, jobs } from './jobs.ts';
import { live } from './live.ts';
import { metrics } from './metrics.ts';
import { leases, mirror } from './mirror.ts';
import { policy } from './policy.ts';
import { api } from './procedure-guard.ts';
import { reaper } from './reaper.ts';
import { replication } from './replication.ts';
import { settings } from './settings.ts';
import { store } from './store.ts';
import { tokens } from './tokens.ts';
import { ttlIndexes } from './ttl-indexes.ts';

/** The handlers of every procedure of the contract; a missing one does not compile. */
export const router = api.router({
  alerts,
  store,
  collections,
  documents,
  ttlIndexes,
  governance,
  policy,
  timeline: {
    get: api.timeline.get.handler(({ input, context: { engine } }) =>
      engine.backend.reads.timeline(input, engine.clock.now()),
    ),
  },
  reaper,
  tokens,
  metrics,
  expired,
  settings,
  imports,
  exports,
  jobs,
  live,
  events,
  replication,
  mirror,
  leases,
  connections,
});
