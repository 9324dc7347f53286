import type { ContractRouter, ContractRouterClient } from '@orpc/contract';
import { alerts } from './alerts.ts';
import { collections } from './collections.ts';
import { connections } from './connections.ts';
import { documents } from './documents.ts';
import { events } from './events.ts';
import { expired } from './expired.ts';
import { exports } from './exports.ts';
import { imports, jobs } from './jobs.ts';
import { leases } from './leases.ts';
import { live, store } from './live.ts';
import { metrics } from './metrics.ts';
import { mirror } from './mirror.ts';
import { policy } from './policy.ts';
import type { ProcedureMeta } from './procedure-builder.ts';
import { reaper } from './reaper.ts';
import { replication } from './replication.ts';
import { settings } from './settings.ts';
import { timeline } from './timeline.ts';
import { tokens } from './tokens.ts';
import { governance, ttlIndexes } from './ttl-indexes.ts';

/** The whole API. Handlers, the window's client, the REST routes and their OpenAPI document are derived from it. */
export const contract = {
  alerts,
  store,
  collections,
  documents,
  ttlIndexes,
  governance,
  policy,
  timeline,
  reaper,
  metrics,
  expired,
  settings,
  tokens,
  imports,
  exports,
  jobs,
  live,
  events,
  replication,
  mirror,
  leases,
  connections,
} satisfies ContractRouter<ProcedureMeta>;
export type Contract = typeof contract;

/** Client of the API, over a message port or a WebSocket. */
export type Client = ContractRouterClient<Contract>;
