import { type Capabilities, featuresExcept, type Support } from '../../../../shared/contract/capabilities.ts';
import type { ServerFacts } from './server/server-facts.ts';

const no = (because: string): Support => ({ is: 'no', because });

/** Features of a PostgreSQL database; `facts` null: the server was not reached yet. */
export function postgresCapabilities(facts: ServerFacts | null): Capabilities {
  const governing = notGoverned(facts);
  return {
    kind: 'postgresql',
    removedBy: 'sandglass',
    words: { record: 'row', group: 'table' },
    features: featuresExcept({
      collections: no('Tables are created and dropped in SQL.'),
      insert: no('Rows are inserted by the applications that use this database.'),
      expiration: no('The deadlines of rows are not connected yet.'),
      pin: no('The deadlines of rows are not connected yet.'),
      keepAlive: no('A row keeps no duration of its own that could start again.'),
      actions: no('A row is deleted at its deadline; there is no other action for single rows.'),
      ttlIndexes: no(governing),
      reaper: no(governing),
      restore: no('Sandglass keeps no copies of rows of PostgreSQL.'),
      changeLog: no('PostgreSQL keeps its changes in its write-ahead log, for its replicas.'),
      replication: no('PostgreSQL replicates by itself.'),
      file: no('Backups are made on the server, by pg_dump or pg_basebackup.'),
      settings: no('The settings of expiry are those of stores of Sandglass.'),
      tokens: no('The tokens of the home store open this connection.'),
      alerts: no('Alerts are evaluated for stores of Sandglass.'),
      export: no('Tables are exported by COPY or pg_dump.'),
      series: no('Figures per minute are kept for stores of Sandglass.'),
      prometheus: no('Metrics for Prometheus are those of stores of Sandglass.'),
      contentFilter: no('Conditions in CEL are for documents; SQL has its own.'),
      mirror: no('PostgreSQL answers by its own statistics and indexes.'),
      notifications: no('PostgreSQL needs no notifications: its tables are read directly.'),
    }),
  };
}

function notGoverned(facts: ServerFacts | null): string {
  if (facts !== null && facts.product !== 'PostgreSQL')
    return `Sandglass has not been run against ${facts.product}: it shows its tables, and removes nothing there.`;
  if (facts?.isReplica === true) return 'This server is a replica, which accepts no changes.';
  return 'TTL indexes of PostgreSQL tables are not connected yet.';
}
