import type { HostConnection } from '../../host/connection.ts';
import type { HostConnections } from '../../host/connections.ts';
import { type RunningEngine, runningEngine } from './running-engine.ts';

/**
 * Returns a lookup of the engine of a connection, home by default. It throws CONNECTION_NOT_FOUND, CONNECTION_NOT_OPEN.
 */
export function runningEngines(
  connections: Pick<HostConnections, 'find'>,
): (connection?: string) => RunningEngine {
  const engines = new WeakMap<HostConnection, RunningEngine>();
  return id => {
    const connection = connections.find(id);
    const known = engines.get(connection);
    if (known !== undefined) return known;
    const created =
      connection.target.kind === 'file'
        ? runningEngine(connection)
        : runningEngine(connection, connections.find());
    engines.set(connection, created);
    return created;
  };
}
