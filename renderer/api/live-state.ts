import type { RemoteStore } from '../../shared/contract/capabilities.ts';
import type { CollectionSummary } from '../../shared/contract/collections.ts';
import { type ConnectionRecord, HOME_CONNECTION } from '../../shared/contract/connections.ts';
import type { Job } from '../../shared/contract/jobs.ts';
import type { LiveUpdate, StoreInfo } from '../../shared/contract/live.ts';
import type { ReaperState } from '../../shared/contract/reaper.ts';
import type { EndReason } from './transport.ts';

/** State of the connection to the engine. */
export type ConnectionState =
  | { readonly is: 'connecting' }
  | { readonly is: 'open' }
  /** `since` and `retryAt` by the window's clock, because the engine's is not available. */
  | { readonly is: 'lost'; readonly why: EndReason; readonly since: number; readonly retryAt: number };

/** Live state of the store. Kept while the connection is lost, although outdated. */
export interface LiveState {
  /** Id of the connection that the state belongs to. */
  readonly at: string;
  /** All connections, home first; null until received. */
  readonly connections: readonly ConnectionRecord[] | null;
  readonly connection: ConnectionState;
  readonly store: StoreInfo | null;
  /** The server of a remote store; null: the store is a file of Sandglass. */
  readonly remote: RemoteStore | null;
  readonly revision: number;
  readonly reaper: ReaperState | null;
  /** By name, sorted. Null until the first update. */
  readonly collections: ReadonlyMap<string, CollectionSummary> | null;
  /** By id, oldest first. */
  readonly jobs: ReadonlyMap<string, Job>;
}

export const NOTHING_YET: LiveState = {
  at: HOME_CONNECTION,
  connections: null,
  connection: { is: 'connecting' },
  store: null,
  remote: null,
  revision: 0,
  reaper: null,
  collections: null,
  jobs: new Map(),
};

const byName = new Intl.Collator('en', { numeric: true });

function mergeCollections(
  known: ReadonlyMap<string, CollectionSummary>,
  update: LiveUpdate,
): ReadonlyMap<string, CollectionSummary> {
  if (update.collections.length === 0 && update.dropped.length === 0) return known;
  const merged = new Map(known);
  for (const name of update.dropped) merged.delete(name);
  const isNew = update.collections.some(({ name }) => !merged.has(name));
  for (const summary of update.collections) merged.set(summary.name, summary);
  return isNew ? new Map([...merged].sort(([a], [b]) => byName.compare(a, b))) : merged;
}

/** Applies an update. Unchanged parts keep their identity, so that components using them do not render. */
export function applyUpdate(state: LiveState, update: LiveUpdate): LiveState {
  const known = update.first ? new Map<string, CollectionSummary>() : (state.collections ?? new Map());
  const jobs =
    update.jobs.length === 0 && !update.first
      ? state.jobs
      : new Map([...(update.first ? [] : state.jobs), ...update.jobs.map(job => [job.id, job] as const)]);
  return {
    ...state,
    connections: update.connections ?? state.connections,
    remote: update.remote ?? null,
    revision: update.revision,
    reaper: update.reaper,
    collections: mergeCollections(known, update),
    jobs,
  };
}
