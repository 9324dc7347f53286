import type { EngineFinding } from '../../../../shared/contract/capabilities.ts';
import type { TableEntry } from './catalog/table-entry.ts';
import type { PostgresTarget } from './connection/postgres-uri.ts';
import type { ProtectedOfSource } from './governed/reaper/known-protected-rows.ts';
import type { ServerFacts } from './server/server-facts.ts';

export interface FindingsInput {
  readonly facts: ServerFacts;
  readonly target: Pick<PostgresTarget, 'host' | 'sslMode'>;
  readonly tables: readonly TableEntry[];
  /** Due rows that foreign keys protect, where a reaper runs. */
  readonly protectedRows?: readonly ProtectedOfSource[];
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;
/** Tables named in one finding. */
const MOST_NAMED = 3;

/** Returns the facts about the server and its tables that concern expiry. */
export function postgresFindings(input: FindingsInput): EngineFinding[] {
  return [
    otherProduct(input),
    replica(input),
    plain(input),
    pooled(input),
    withoutVacuum(input),
    withoutKey(input),
    ...(input.protectedRows ?? []).map(protectedRows),
  ].filter(finding => finding !== null);
}

function otherProduct({ facts: { product } }: FindingsInput): EngineFinding | null {
  if (product === 'PostgreSQL') return null;
  if (product === 'CockroachDB')
    return {
      id: 'another product',
      severity: 'warning',
      sentence: 'The server is CockroachDB, which was found after the connection was opened.',
      advice: 'Close the connection and open it again.',
    };
  return {
    id: 'another product',
    severity: 'warning',
    sentence: `Sandglass was not run against a live ${product}. Its tables are read and governed as those of PostgreSQL. Not checked: the takeover of the reaper’s lock, the removal of partitions, counts by statistics, and throttling by replicas.`,
    advice: 'Try a TTL index on a copy of the data first.',
  };
}

function replica({ facts: { isReplica } }: FindingsInput): EngineFinding | null {
  if (!isReplica) return null;
  return {
    id: 'replica',
    severity: 'info',
    sentence:
      'This server is a replica: it accepts no changes, and shows rows until their removal on the primary has arrived.',
    advice: 'Connect to the primary to change rows.',
  };
}

/** Returns the finding of a connection without TLS: for every product that speaks PostgreSQL's protocol. */
export function plain({ facts: { usesTls }, target: { host } }: FindingsInput): EngineFinding | null {
  if (usesTls || LOOPBACK.test(host)) return null;
  return {
    id: 'not encrypted',
    severity: 'warning',
    sentence: 'The connection is not encrypted: rows can be read on the way from the server.',
    advice: 'Turn on TLS on the server, and add ?sslmode=verify-full to the address.',
  };
}

function pooled({ facts: { isPooled } }: FindingsInput): EngineFinding | null {
  if (!isPooled) return null;
  return {
    id: 'pooler',
    severity: 'warning',
    sentence:
      'The address leads to a pooler such as PgBouncer. In its transaction mode a session keeps neither its limits nor its locks.',
    advice: 'Connect to the server itself, or to a pool in session mode.',
  };
}

function withoutVacuum({ facts: { autovacuum } }: FindingsInput): EngineFinding | null {
  if (autovacuum) return null;
  return {
    id: 'autovacuum off',
    severity: 'warning',
    sentence:
      'Autovacuum is off: the space of removed rows is not used again, and counts of rows go out of date.',
    advice: 'Set autovacuum = on, and reload the configuration.',
  };
}

function withoutKey({ tables }: FindingsInput): EngineFinding | null {
  const found = tables.filter(({ hasPrimaryKey }) => !hasPrimaryKey);
  if (found.length === 0) return null;
  const named = found.slice(0, MOST_NAMED).map(({ collection }) => collection);
  const others = found.length > MOST_NAMED ? ` and ${found.length - MOST_NAMED} more` : '';
  return {
    id: 'tables without a primary key',
    severity: 'info',
    sentence: `${found.length === 1 ? 'One table has' : `${found.length} tables have`} no primary key: ${named.join(', ')}${others}. Their rows are shown and cannot be changed, or removed by a TTL index.`,
    advice: 'Add a primary key to a table whose rows should expire.',
  };
}

function protectedRows({ collection, index, rows, reply }: ProtectedOfSource): EngineFinding {
  return {
    id: `protected rows/${collection}/${index}`,
    severity: 'warning',
    sentence: `A foreign key protects ${rows === 1 ? 'one due row' : `${rows} due rows`} of ${collection}, which stay. The others are removed. ${reply}`,
    advice:
      'Delete the rows that refer to them, or declare the foreign key with ON DELETE CASCADE. They are tried again after a minute, later each hour, and by a pass that you start.',
  };
}
