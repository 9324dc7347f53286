import type { KeptBytes } from '../../backend.ts';
import type { Reader } from './reader.ts';

/** What is kept beside the documents, without reading it. Call inside a read transaction. */
export function readKept({ db }: Reader): KeptBytes {
  const log = db
    .prepare<[], number>(
      `SELECT (SELECT ends FROM log ORDER BY revision DESC LIMIT 1) - ends + octet_length(changes)
       FROM log ORDER BY revision LIMIT 1`,
    )
    .pluck()
    .get();
  const retained = db.prepare<[], number>(`SELECT value FROM meta WHERE key = 'retainedBytes'`).pluck().get();
  return { log: log ?? 0, retained: retained ?? 0 };
}
