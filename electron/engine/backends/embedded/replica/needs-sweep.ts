import type { ReplicaEntry } from '../../../../../shared/contract/replication.ts';
import type { RowPlace } from '../../backend.ts';
import { readCatalog } from '../catalog/catalog-snapshot.ts';
import type { Writer } from '../write/writer.ts';
import type { ReplicaDefinitions } from './replica-definitions.ts';

/**
 * Returns whether a mirror must complete its sweep before it applies an entry: the entry ends a table that the sweep
 * reads, has a row that it still frees, or is an interval of a table with late entries, which only the sweep puts back.
 */
export function needsSweep(
  { catalog, interval, put, expired }: ReplicaEntry,
  writer: Writer,
  definitions: Pick<ReplicaDefinitions, 'endsInterval'>,
): boolean {
  // The rows in memory: the marks in the file are ahead of them until a round of the sweep has ended.
  if (writer.tombstones.count === 0) return false;
  if (catalog !== null && definitions.endsInterval(readCatalog(catalog, writer.db))) return true;
  const isTaken = ({ collection, row }: RowPlace) =>
    writer.collectionWithId(collection)?.canAdopt(row) === false;
  if (put.some(isTaken) || expired.some(expiry => expiry.gone && isTaken(expiry))) return true;
  if (interval === null) return false;
  return writer.collectionWithId(interval.collection)?.entries.tableOf(interval.source)?.hasLate === true;
}
