import type { HeldStore } from '../../host/connection.ts';
import type { Stores } from '../../host/connections.ts';
import { type RunningEngine, runningEngine } from './running-engine.ts';

/** The engine of each connection, callable; home where none is named. Throws CONNECTION_NOT_FOUND, CONNECTION_NOT_OPEN. */
export function runningEngines(stores: Pick<Stores, 'reach'>): (connection?: string) => RunningEngine {
  const engines = new WeakMap<HeldStore, RunningEngine>();
  return connection => {
    const store = stores.reach(connection);
    const known = engines.get(store);
    if (known !== undefined) return known;
    const made = runningEngine(store);
    engines.set(store, made);
    return made;
  };
}
