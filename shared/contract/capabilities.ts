import { z } from 'zod';

/** Database engines that a connection can have. */
const ENGINE_KINDS = ['embedded', 'redis', 'postgresql', 'etcd'] as const;
const engineKind = z.enum(ENGINE_KINDS);

/**
 * The features of a store. Each procedure of the contract names the feature that it needs; if the engine lacks it, the
 * call is refused with NOT_SUPPORTED and the reason.
 */
export const FEATURES = [
  /** Create and drop collections. */
  'collections',
  /** Write new documents. */
  'insert',
  /** Import files. */
  'import',
  /** Replace the value of a document. */
  'edit',
  'delete',
  /** Set and clear the deadlines of single documents [E1]. */
  'expiration',
  /** Change the deadlines of only those documents that have none, have one, or have an earlier or later one. */
  'conditionalExpiration',
  /** Set back the deadlines that a bulk change has changed. */
  'undoExpiration',
  /** Distinguish documents that never expire from documents without a deadline. */
  'pin',
  /** Restart the duration of a document [E2]. */
  'keepAlive',
  /** An expiration with an action other than delete [A1]. */
  'actions',
  'ttlIndexes',
  /** Keep TTL indexes in a schema of the remote database itself. */
  'governance',
  /** The SQL that creates or changes a TTL index, shown before the engine executes it. */
  'indexStatements',
  /** Pause and resume the removal of due documents, and read its history of passes [R6, R7]. */
  'reaper',
  /** Start a pass by hand [R6]. */
  'runPass',
  /** Restore expired or deleted documents [X4]. */
  'restore',
  /** Erase restorable copies, with their traces in log and file [X4]. */
  'purge',
  /** List what was removed, with its deadline and its lag. */
  'removals',
  /** The stream of changes [V2]. */
  'changeLog',
  /** Followers and mirrors [V5]. */
  'replication',
  /** Backup, compaction and check of the store's file [B1, S3]. */
  'file',
  'settings',
  /** Tokens of this store; without them, the tokens of the home store open the connection [P1]. */
  'tokens',
  'alerts',
  'export',
  /** Figures per minute, kept across restarts [M1]. */
  'series',
  /** Figures as Prometheus text [M2]. */
  'prometheus',
  /** Conditions in CEL over the content of documents. */
  'contentFilter',
  /** Text search in the content of documents. */
  'contentSearch',
  /** A mirror of the deadlines of a remote store, read at a rate and in groups that can be set. */
  'mirror',
  /** Turn on the server's notifications of changes. */
  'notifications',
  /** Leases, with which all keys attached to them are deleted. */
  'leases',
] as const;
export type Feature = (typeof FEATURES)[number];

/** `sampled` and `estimated`: supported, with figures that are not exact for the reason given. */
export const support = z.discriminatedUnion('is', [
  z.object({ is: z.literal('yes') }),
  z.object({ is: z.literal('no'), because: z.string() }),
  z.object({ is: z.literal('sampled'), because: z.string() }),
  z.object({ is: z.literal('estimated'), because: z.string() }),
]);
export type Support = z.infer<typeof support>;

/** A setting of an index that has no equivalent here: it is passed on by the engine's own name. */
export const engineParameter = z.object({
  name: z.string(),
  /** `interval`: text such as `10 minutes`. */
  kind: z.enum(['count', 'flag', 'interval']),
  /** The engine's default; null: the parameter has no effect unless it is set. */
  usual: z.string().nullable(),
  sentence: z.string(),
});
export type EngineParameter = z.infer<typeof engineParameter>;

/** Definitions that a TTL index of the engine can have. The others are neither offered nor accepted. */
export const indexChoices = z.object({
  /** Origins of the reference time. */
  sources: z.array(z.enum(['field', 'lastModified', 'expression'])),
  /** The duration may be in another field of the document. */
  ownDurations: z.boolean(),
  actions: z.array(z.enum(['delete', 'patch', 'replace', 'move'])),
  schedules: z.array(z.enum(['exact', 'every', 'cron', 'observe'])),
  /** The name of the only index that a collection can have; null: it can have several, with any names. */
  name: z.string().nullable(),
  /** The language of an expression. */
  expressions: z.enum(['cel', 'sql']),
  limits: z.array(z.enum(['removalsPerSecond', 'batchMs', 'batchSize'])),
  parameters: z.array(engineParameter),
});
export type IndexChoices = z.infer<typeof indexChoices>;

export const capabilities = z.object({
  kind: engineKind,
  /** Whether the database itself or Sandglass's reaper removes due documents. */
  removedBy: z.enum(['engine', 'sandglass']),
  /** The engine's words for a document and a collection. */
  words: z.object({
    record: z.enum(['document', 'key', 'row']),
    group: z.enum(['collection', 'prefix', 'table']),
  }),
  /** Choices in the form of a TTL index; null: the engine has no TTL indexes. */
  indexChoices: indexChoices.nullable(),
  /** Choices if the id of a restored document is in use again [X4]. */
  restoreConflicts: z.array(z.enum(['skip', 'replace', 'newId'])),
  features: z.object(
    Object.fromEntries(FEATURES.map(feature => [feature, support])) as Record<Feature, typeof support>,
  ),
});
export type Capabilities = z.infer<typeof capabilities>;
/** The features of an engine, each with its reason if it is missing or not exact. */
export type FeatureSupport = Capabilities['features'];

const YES: Support = { is: 'yes' };

/** Returns all features as supported, except those in `except`. */
export function featuresExcept(except: Partial<FeatureSupport>): FeatureSupport {
  const all = Object.fromEntries(FEATURES.map(feature => [feature, YES])) as FeatureSupport;
  return { ...all, ...except };
}

/** Returns the reason why a feature is not supported; null: it is supported. */
export function missingBecause({ features }: Capabilities, feature: Feature): string | null {
  const { [feature]: found } = features;
  return found.is === 'no' ? found.because : null;
}

export const ALL_INDEX_CHOICES: IndexChoices = {
  sources: ['field', 'lastModified', 'expression'],
  ownDurations: true,
  actions: ['delete', 'patch', 'replace', 'move'],
  schedules: ['exact', 'every', 'cron', 'observe'],
  name: null,
  expressions: 'cel',
  limits: ['removalsPerSecond', 'batchMs', 'batchSize'],
  parameters: [],
};

/** Capabilities of Sandglass's own store: everything that is not for remote stores, exact. */
export const EMBEDDED_CAPABILITIES: Capabilities = {
  kind: 'embedded',
  removedBy: 'sandglass',
  words: { record: 'document', group: 'collection' },
  indexChoices: ALL_INDEX_CHOICES,
  restoreConflicts: ['skip', 'replace', 'newId'],
  features: featuresExcept({
    mirror: { is: 'no', because: 'The store of Sandglass has its own index of deadlines.' },
    notifications: { is: 'no', because: 'The store of Sandglass notifies of every change.' },
    governance: { is: 'no', because: 'The store of Sandglass keeps its TTL indexes itself.' },
    conditionalExpiration: {
      is: 'no',
      because: 'Here an explicit expiration outranks the TTL indexes; filter by state or deadline instead.',
    },
    undoExpiration: {
      is: 'no',
      because: 'An explicit expiration is cleared instead: the TTL indexes then decide again.',
    },
    leases: { is: 'no', because: 'In the store of Sandglass each document has its own deadline.' },
    indexStatements: {
      is: 'no',
      because: 'The store of Sandglass keeps its TTL indexes itself, without SQL.',
    },
  }),
};

const instant = z.number();
const count = z.number().int().nonnegative();

/**
 * State of the local mirror that Sandglass keeps of a remote store's deadlines. Counts are those of the last scan or
 * notification; `stale`: later changes may be missing, for `reason`, and a new scan follows.
 */
export const mirrorState = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('scanning'),
    done: count,
    /** Null: the number of keys is unknown. */
    total: count.nullable(),
    since: instant,
    /** Reason why the mirror was stale before this scan; null: this is the first scan. */
    reason: z.string().nullable(),
  }),
  /** The engine's notifications keep the mirror current, without a gap since the scan that ended at `scannedAt`. */
  z.object({ is: z.literal('live'), scannedAt: instant }),
  /**
   * The mirror has the state at the end of the last scan; the engine sends no notifications, and the next scan is at
   * `nextScanAt`.
   */
  z.object({ is: z.literal('as of'), scannedAt: instant, nextScanAt: instant.nullable() }),
  z.object({ is: z.literal('stale'), since: instant, reason: z.string() }),
  z.object({ is: z.literal('paused'), since: instant }),
]);
export type MirrorState = z.infer<typeof mirrorState>;

/** A fact about the engine's configuration that concerns expiry, for a person. */
export const engineFinding = z.object({
  id: z.string(),
  severity: z.enum(['info', 'warning']),
  sentence: z.string(),
  /** The remedy; null: none is needed. */
  advice: z.string().nullable(),
  /** The feature with which Sandglass can apply the remedy; absent: none. */
  remedy: z.enum(FEATURES).optional(),
});
export type EngineFinding = z.infer<typeof engineFinding>;

/** A remote store: its server, its round-trip time, and the state of the mirror. */
export const remoteStore = z.object({
  /** Address without secrets. */
  uri: z.string(),
  /** Such as `Redis 7.0.15`. */
  server: z.string(),
  /** Median round-trip time of the last probes, ms; null: not measured yet. */
  roundTripMs: z.number().nullable(),
  /** Since when, and why, the server cannot be reached; null: it can be reached. */
  unreachable: z.object({ since: instant, reason: z.string() }).nullable(),
  mirror: mirrorState.nullable(),
  /** One key in so many is mirrored, and every figure counts these only; absent: all keys are. */
  sampledOneIn: count.optional(),
  findings: z.array(engineFinding),
});
export type RemoteStore = z.infer<typeof remoteStore>;
