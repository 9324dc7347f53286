import type { StorageBytes } from '../../backend.ts';
import type { ReadConnection } from './read-connection.ts';

/** Returns the bytes of the store by their use, from stored counts. Call inside a read transaction. */
export function readStorage({ db, meta }: ReadConnection): StorageBytes {
  const log = db
    .prepare<[], number>(
      `SELECT (SELECT end_offset FROM log ORDER BY revision DESC LIMIT 1) - end_offset + octet_length(changes)
       FROM log ORDER BY revision LIMIT 1`,
    )
    .pluck()
    .get();
  const documents = db.prepare<[], number>('SELECT coalesce(sum(bytes), 0) FROM collections').pluck().get();
  return { documents: documents ?? 0, log: log ?? 0, retained: meta.number('retainedBytes') ?? 0 };
}
