import {
  type Capabilities,
  type EngineParameter,
  featuresExcept,
  type Support,
} from '../../../../shared/contract/capabilities.ts';
import { OWN_PARAMETERS, TTL_NAME } from './cockroach/ttl/ttl-definition.ts';

const no = (because: string): Support => ({ is: 'no', because });
const NOT_CHANGED = no('Sandglass was not run against a live CockroachDB, and changes no rows there.');
const OF_ROWS = no('The deadline of a row follows from its columns; the applications write them.');

type About = Omit<EngineParameter, 'name'>;
const ABOUT: Readonly<Record<(typeof OWN_PARAMETERS)[number], About>> = {
  ttl_select_batch_size: {
    kind: 'count',
    usual: '500',
    sentence: 'Rows that a query of the job reads at once.',
  },
  ttl_select_rate_limit: {
    kind: 'count',
    usual: '0',
    sentence: 'Rows that the job reads per second and node; 0: no limit.',
  },
  ttl_row_stats_poll_interval: {
    kind: 'interval',
    usual: null,
    sentence: 'How often a running job counts rows and expired rows, for the metrics of the cluster.',
  },
  ttl_label_metrics: {
    kind: 'flag',
    usual: 'off',
    sentence: 'Metrics of the job carry the name of the table.',
  },
  ttl_disable_changefeed_replication: {
    kind: 'flag',
    usual: 'off',
    sentence: 'Changefeeds leave out what the job deletes.',
  },
  ttl_expire_after: {
    kind: 'interval',
    usual: null,
    sentence:
      'Beside an expression: keeps the hidden column crdb_internal_expiration, set at each write to then plus this.',
  },
};

/** Features of a CockroachDB database: row-level TTL, which the cluster itself applies. */
export const COCKROACH_CAPABILITIES: Capabilities = {
  kind: 'postgresql',
  removedBy: 'engine',
  words: { record: 'row', group: 'table' },
  restoreConflicts: [],
  indexChoices: {
    sources: ['field', 'lastModified', 'expression'],
    ownDurations: false,
    actions: ['delete'],
    schedules: ['cron'],
    name: TTL_NAME,
    expressions: 'sql',
    limits: ['removalsPerSecond', 'batchSize'],
    parameters: OWN_PARAMETERS.map(name => ({ name, ...ABOUT[name] })),
  },
  features: featuresExcept({
    collections: no('Tables are created and dropped in SQL.'),
    insert: no('Rows are inserted by the applications that use this database.'),
    import: NOT_CHANGED,
    edit: NOT_CHANGED,
    delete: NOT_CHANGED,
    expiration: OF_ROWS,
    pin: OF_ROWS,
    conditionalExpiration: OF_ROWS,
    undoExpiration: OF_ROWS,
    purge: no('Sandglass keeps no copies of rows of CockroachDB.'),
    keepAlive: no('A row keeps no duration of its own that could start again.'),
    actions: no('Row-level TTL deletes; it has no other action.'),
    ttlIndexes: {
      is: 'estimated',
      because: 'Rows are counted again and again by reads of a few seconds ago; a preview counts exactly.',
    },
    governance: no('CockroachDB keeps the TTL of a table in the parameters of the table.'),
    runPass: no('CockroachDB begins the TTL job of a table by its schedule only.'),
    leases: no('In CockroachDB each row has its own deadline.'),
    removals: no('CockroachDB does not report which rows its TTL jobs delete; the passes count them.'),
    restore: no('CockroachDB keeps removed rows for AS OF SYSTEM TIME only, until its garbage collection.'),
    changeLog: no('CockroachDB has changefeeds of its own.'),
    replication: no('CockroachDB replicates by itself.'),
    file: no('Backups are made on the cluster, by BACKUP.'),
    settings: no('A TTL has limits of its own; the defaults are settings of the cluster, sql.ttl.default_….'),
    tokens: no('The tokens of the home store open this connection.'),
    alerts: no('Alerts are evaluated for stores of Sandglass.'),
    series: no('Figures per minute are kept for stores of Sandglass.'),
    prometheus: no('The cluster has metrics of its TTL jobs, jobs.row_level_ttl.….'),
    contentFilter: no('Conditions in CEL are for documents; SQL has its own.'),
    mirror: no('CockroachDB answers by counting its rows.'),
    notifications: no('CockroachDB needs no notifications: its tables are read directly.'),
  }),
};
