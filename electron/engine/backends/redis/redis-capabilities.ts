import { type Capabilities, featuresExcept, type Support } from '../../../../shared/contract/capabilities.ts';

const no = (because: string): Support => ({ is: 'no', because });

/** Returns the features of a server of whose keys one in `oneIn` is mirrored; 1: all. */
export function redisCapabilities(oneIn: number): Capabilities {
  if (oneIn === 1) return REDIS_CAPABILITIES;
  const sampled: Support = {
    is: 'sampled',
    because: `The server has more keys than are mirrored: one in ${oneIn} is read, and every figure, list and change of all matching keys concerns these only.`,
  };
  const features = { ...REDIS_CAPABILITIES.features, mirror: sampled, series: sampled, export: sampled };
  return { ...REDIS_CAPABILITIES, features };
}

/** Features of a Redis server, which expires its keys by itself. */
export const REDIS_CAPABILITIES: Capabilities = {
  kind: 'redis',
  removedBy: 'engine',
  words: { record: 'key', group: 'prefix' },
  indexChoices: null,
  restoreConflicts: [],
  features: featuresExcept({
    collections: no('Prefixes come and go with their keys.'),
    insert: no('Keys are created by the applications that use this server.'),
    pin: no('To Redis, a key that never expires is a key without a TTL.'),
    keepAlive: no('Redis stores the instant at which a key expires, and not the duration it was set with.'),
    actions: no('Redis deletes a key that expires; it has no other action.'),
    governance: no('Redis expires its keys by itself.'),
    ttlIndexes: no('Redis has one TTL per key, and no rule that computes it.'),
    reaper: no('Redis removes expired keys by itself.'),
    runPass: no('Redis removes expired keys by itself.'),
    indexStatements: no('Redis has one TTL per key, and no rule that computes it.'),
    leases: no('In Redis each key has its own deadline.'),
    restore: no('Redis keeps nothing of a key that is gone.'),
    purge: no('There are no copies to purge.'),
    changeLog: no('Redis notifies of changes without a log of them.'),
    replication: no('Redis replicates by itself.'),
    file: no('Backups are made on the server, by BGSAVE.'),
    settings: no('Redis removes expired keys by its own configuration.'),
    tokens: no('The tokens of the home store open this connection.'),
    alerts: no('Alerts are evaluated for stores of Sandglass.'),
    prometheus: no('Metrics for Prometheus are those of stores of Sandglass.'),
    contentFilter: no('Conditions would read every value from the server.'),
    contentSearch: no(
      'Only the text of keys is searched; a search in values would read all of them from the server.',
    ),
  }),
};
