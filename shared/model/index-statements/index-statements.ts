import type { TtlIndexDefinition } from '../ttl-index.ts';
import { asArangoDb, asCockroachDb, asMongoDb, type ForeignStatement } from './other-systems.ts';
import { shellLine } from './shell-command.ts';

/** The definition of an index, for this product and for others [X5]. */
export interface ReadBack {
  rest: { method: string; path: string; body: unknown };
  cli: string;
  cockroachdb: ForeignStatement;
  mongodb: ForeignStatement;
  arangodb: ForeignStatement;
}

/** Returns statements as one text, each on a line of its own. */
export function scriptOf(statements: readonly string[]): string {
  return statements.map(statement => `${statement};`).join('\n');
}

export function readBackOf(collection: string, definition: TtlIndexDefinition): ReadBack {
  return {
    rest: {
      method: 'POST',
      path: `/api/collections/${encodeURIComponent(collection)}/ttl-indexes`,
      body: { ...definition },
    },
    cli: shellLine(collection, definition),
    cockroachdb: asCockroachDb(collection, definition),
    mongodb: asMongoDb(collection, definition),
    arangodb: asArangoDb(collection, definition),
  };
}
