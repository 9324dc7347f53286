import { z } from 'zod';
import { canonicalServer } from '../../model/transport/same-server.ts';
import {
  type ConnectionRecord,
  type ConnectionTarget,
  connectionLabel,
  connectionTarget,
  HOME_CONNECTION,
} from '../connections.ts';

/** A connection of an exported list: every other field is left out, and there are no secrets. */
const listedConnection = connectionLabel.extend({ target: connectionTarget });
export type ListedConnection = z.infer<typeof listedConnection>;

/** A file with the connections beside home. */
export const connectionList = z.object({ version: z.literal(1), connections: z.array(listedConnection) });
export type ConnectionList = z.infer<typeof connectionList>;

export function exportConnections(all: readonly ConnectionRecord[]): ConnectionList {
  return connectionList.parse({ version: 1, connections: all.filter(({ id }) => id !== HOME_CONNECTION) });
}

/** A part in which a listed connection differs from the one with its address. */
export type ListDifference = 'name' | 'colour' | 'environment' | 'readOnly' | 'access';

/** A listed connection, compared with those that exist. */
export type ComparedConnection =
  | { readonly is: 'new' | 'same'; readonly listed: ListedConnection }
  | {
      readonly is: 'changed';
      readonly listed: ListedConnection;
      readonly id: string;
      /** Not empty. `access`: SSH servers, certificates, or where the host finds a secret. */
      readonly differences: readonly ListDifference[];
    };

/**
 * Compares a list with the connections that exist. A connection is identified by its file or its address; of two entries
 * with one address the first counts.
 */
export function compareConnections(
  { connections }: ConnectionList,
  existing: readonly ConnectionRecord[],
): ComparedConnection[] {
  const byAddress = Map.groupBy(connections, ({ target }) => comparedAddress(target));
  return [...byAddress].flatMap(([address, [listed]]): ComparedConnection[] => {
    if (listed === undefined) return [];
    const found = existing.find(({ target }) => comparedAddress(target) === address);
    return [compared(listed, found)];
  });
}

/** The file, or the text that all spellings of the server's address have, with the SSH server that leads to it. */
function comparedAddress(target: ConnectionTarget): string {
  return target.kind === 'file' ? target.file : canonicalServer(target);
}

function compared(listed: ListedConnection, found: ConnectionRecord | undefined): ComparedConnection {
  if (found === undefined) return { is: 'new', listed };
  const differences = differencesOf(listed, found);
  return differences.length === 0 || found.id === HOME_CONNECTION
    ? { is: 'same', listed }
    : { is: 'changed', listed, id: found.id, differences };
}

const LABEL_PARTS = ['name', 'colour', 'environment', 'readOnly'] as const;

function differencesOf(listed: ListedConnection, found: ConnectionRecord): ListDifference[] {
  const differences: ListDifference[] = LABEL_PARTS.filter(part => listed[part] !== found[part]);
  // Parsed by one schema, so that equal targets are equal texts.
  const text = (target: ConnectionTarget) => {
    const { kind, ...access } = connectionTarget.parse(target);
    return JSON.stringify({ kind, ...access, ...(kind !== 'file' && { uri: comparedAddress(target) }) });
  };
  if (text(listed.target) !== text(found.target)) differences.push('access');
  return differences;
}
