import { type Capabilities, featuresExcept, type Support } from '../../../../shared/contract/capabilities.ts';

const no = (because: string): Support => ({ is: 'no', because });

/** Features of an etcd cluster, which revokes its leases by itself. */
export const ETCD_CAPABILITIES: Capabilities = {
  kind: 'etcd',
  removedBy: 'engine',
  words: { record: 'key', group: 'prefix' },
  indexChoices: null,
  restoreConflicts: [],
  features: featuresExcept({
    collections: no('Prefixes come and go with their keys.'),
    insert: no('Keys are created by the applications that use this cluster.'),
    conditionalExpiration: no('etcd has no such condition; filter by state or deadline instead.'),
    undoExpiration: no('A key with another lease cannot return to its former one, which may have ended.'),
    pin: no('To etcd, a key that never expires is a key without a lease.'),
    keepAlive: no('A lease is kept alive by the application that holds it, for all of its keys at once.'),
    actions: no('etcd deletes the keys of a lease that expires; it has no other action.'),
    governance: no('etcd expires its keys by itself.'),
    ttlIndexes: no('In etcd a key expires with its lease, and no rule computes it.'),
    reaper: no('etcd revokes leases by itself.'),
    runPass: no('etcd revokes leases by itself.'),
    indexStatements: no('etcd has leases, and no rule that gives keys a deadline.'),
    restore: no('Sandglass keeps no copies of values of etcd.'),
    purge: no('There are no copies to purge.'),
    changeLog: no('The history of etcd is read by its own watches.'),
    replication: no('etcd replicates by itself.'),
    file: no('Snapshots are made on the server, by etcdctl snapshot save.'),
    settings: no('etcd revokes expired leases by its own configuration.'),
    tokens: no('The tokens of the home store open this connection.'),
    alerts: no('Alerts are evaluated for stores of Sandglass.'),
    notifications: no('A watch of etcd is always available.'),
    prometheus: no('Metrics for Prometheus are those of stores of Sandglass.'),
    contentFilter: no('Conditions would read every value from the server.'),
    contentSearch: no(
      'Only the text of keys is searched; a search in values would read all of them from the server.',
    ),
  }),
};
