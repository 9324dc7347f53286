import {
  type Capabilities,
  type Feature,
  featuresExcept,
  missingBecause,
  type Support,
} from '../../../../shared/contract/capabilities.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import type { ServerFacts } from './server/server-facts.ts';

const no = (because: string): Support => ({ is: 'no', because });

/** Features of a PostgreSQL database; `facts` null: the server was not reached yet. */
export function postgresCapabilities(facts: ServerFacts | null): Capabilities {
  const missing = notGoverned(facts);
  const governed = missing === null ? YES : no(missing);
  return {
    kind: 'postgresql',
    removedBy: 'sandglass',
    words: { record: 'row', group: 'table' },
    // The form has no SQL: expressions, and moving to another table, are for REST and the command line.
    indexChoices: {
      sources: ['field'],
      ownDurations: false,
      actions: ['delete'],
      schedules: ['exact', 'every', 'cron', 'observe'],
      name: null,
      expressions: 'sql',
      limits: ['removalsPerSecond', 'batchMs', 'batchSize'],
      parameters: [],
    },
    // A row keeps its primary key.
    restoreConflicts: ['skip', 'replace'],
    features: featuresExcept({
      collections: no('Tables are created and dropped in SQL.'),
      insert: no('Rows are inserted by the applications that use this database.'),
      expiration: governed,
      conditionalExpiration: no(
        'A deadline set by hand outranks the TTL indexes; filter by state or deadline instead.',
      ),
      undoExpiration: no(
        'Previous deadlines are not kept. A deadline column keeps the new value; elsewhere, clearing it lets the TTL indexes decide again.',
      ),
      pin: governed,
      keepAlive: no('A row keeps no duration of its own that could start again.'),
      actions: no('A row is deleted at its deadline; there is no other action for single rows.'),
      governance: governed,
      ttlIndexes: missing === null ? ESTIMATED : no(missing),
      reaper: governed,
      runPass: governed,
      indexStatements: no(
        'TTL indexes are rows of the schema sandglass; a page of its own shows their SQL for pg_cron.',
      ),
      leases: no('In PostgreSQL each row has its own deadline.'),
      restore: governed,
      purge: no(
        'Copies are rows of sandglass.removed, deleted at the end of their time. PostgreSQL keeps deleted rows in its write-ahead log and backups.',
      ),
      changeLog: no('PostgreSQL keeps its changes in its write-ahead log, for its replicas.'),
      replication: no('PostgreSQL replicates by itself.'),
      file: no('Backups are made on the server, by pg_dump or pg_basebackup.'),
      settings: no('A TTL index has limits of its own; there are none for the whole database.'),
      tokens: no('The tokens of the home store open this connection.'),
      alerts: no('Alerts are evaluated for stores of Sandglass.'),
      prometheus: no('Metrics for Prometheus are those of stores of Sandglass.'),
      contentFilter: no('Conditions in CEL are for documents; SQL has its own.'),
      mirror: no('PostgreSQL answers by its own statistics and indexes.'),
      notifications: no('PostgreSQL needs no notifications: its tables are read directly.'),
    }),
  };
}

const YES: Support = { is: 'yes' };
const ESTIMATED: Support = {
  is: 'estimated',
  because: 'Counts of large tables are those of the server’s statistics; a preview counts exactly.',
};

/** Whether Sandglass may remove rows of the server. */
export function isGoverned(facts: ServerFacts | null): boolean {
  return facts !== null && notGoverned(facts) === null;
}

/** Null: it may, or the server was not reached yet. */
function notGoverned(facts: ServerFacts | null): string | null {
  if (facts?.product === 'CockroachDB')
    return 'This server is CockroachDB, which was found after the connection was opened. The connection is being opened again.';
  if (facts?.isReplica === true) return 'This server is a replica, which accepts no changes.';
  if (facts !== null && facts.versionNumber < OLDEST) return 'TTL indexes need PostgreSQL 14 or later.';
  if (facts !== null && facts.missing.length > 0)
    return `The reaper of Sandglass needs what this ${facts.product} does not have: ${facts.missing.join(', ')}.`;
  return null;
}

/** Returns the error of a call that needs a feature which the server lacks. */
export function notSupported(capabilities: Capabilities, feature: Feature): SandglassError {
  const reason = missingBecause(capabilities, feature) ?? '';
  return new SandglassError('NOT_SUPPORTED', `This is not available on this connection. ${reason}`, {
    feature,
    reason,
  });
}

/** Keepalives of sessions that wait, and exact extraction of instants. */
const OLDEST = 140_000;
