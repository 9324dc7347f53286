import { useLive, useMayConnect } from '../../api.ts';
import { ConnectionRow } from './ConnectionRow.tsx';
import { useConnectionSizes } from './use-connection-sizes.ts';
import './connections.css';

/** All connections of this Sandglass, home first. */
export function ConnectionsTable() {
  const connections = useLive(state => state.connections) ?? [];
  const at = useLive(state => state.at);
  const sizes = useConnectionSizes(connections);
  const mayChange = useMayConnect();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="panel scroll grow connections" aria-label="All connections" tabIndex={0}>
      <table className="tbl">
        <colgroup>
          <col className="name" />
          <col className="env" />
          <col className="state" />
          <col className="file" />
          <col className="size" />
          <col className="acts" />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Environment</th>
            <th scope="col">State</th>
            <th scope="col">File</th>
            <th scope="col" className="num">
              Size
            </th>
            <th scope="col">
              <span className="sr">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {connections.map(record => (
            <ConnectionRow
              key={record.id}
              record={record}
              isHere={record.id === at}
              bytes={sizes.get(record.id)}
              mayChange={mayChange}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}
