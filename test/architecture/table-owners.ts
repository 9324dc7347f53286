const TABLES = 'electron/engine/backends/embedded/tables/';
const DEADLINE_INDEX = 'electron/engine/deadline-index/';
/** Tables of the mirror of a remote store, in a file of its own. */
const DEADLINE_MIRROR = 'electron/engine/deadline-mirror/';

/**
 * The file that owns each table: it holds every statement that writes it. Tables per collection and per index table go by
 * their stem.
 */
export const OWNERS: Readonly<Record<string, string>> = {
  ...inFolder(TABLES, {
    collection_names: 'collection-names.ts',
    collections: 'collections.ts',
    document_images: 'change-log/document-images.ts',
    documents_N: 'documents/documents.ts',
    dropped_collections: 'dropped-collections.ts',
    expired_intervals: 'removals/expired-intervals-table.ts',
    followers: 'followers.ts',
    holds: 'holds.ts',
    keys_N: 'documents/keys.ts',
    log: 'change-log/change-log.ts',
    log_images: 'change-log/log-images.ts',
    meta: 'meta.ts',
    passes: 'passes.ts',
    policy_history: 'policy-history.ts',
    purge_followers: 'purge-followers.ts',
    purges: 'purges.ts',
    quarantine: 'quarantine.ts',
    removals: 'removals/removals.ts',
    retained: 'removals/retained-copies.ts',
    schedule_ticks: 'schedule-ticks.ts',
    successors: 'successors.ts',
    swept_keys: 'documents/swept-keys.ts',
    tokens: 'earlier-tokens.ts',
    ttl_indexes: 'ttl-indexes.ts',
    unlisted_retention: 'removals/expired-intervals-table.ts',
  }),
  ...inFolder('electron/engine/metric-series/', { metric_series: 'metric-series-table.ts' }),
  ...inFolder(DEADLINE_MIRROR, {
    deadline_counts: 'deadline-entries.ts',
    deadline_entries: 'deadline-entries.ts',
    departures: 'departures-table.ts',
    mirror_settings: 'settings-table.ts',
    undoable_jobs: 'undo-deadlines.ts',
    undo_deadlines: 'undo-deadlines.ts',
    mirror_values: 'mirror-values.ts',
    mirrored_collections: 'collections-table.ts',
    other_collections: 'other-collections.ts',
    mirrored_keys: 'keys-table.ts',
  }),
  ...inFolder(DEADLINE_INDEX, {
    counts_N: 'index-table.ts',
    entries_N: 'index-table.ts',
    expiry_counts: 'expiry-counts.ts',
    late_entries: 'late-entries.ts',
  }),
};

function inFolder(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([table, file]) => [table, folder + file]));
}

/**
 * Migrations write tables in the format of their version; the file of a mirror copies tables of a damaged one, and so does the recovery of a
 * store, into a file for itself.
 */
const MIGRATIONS =
  /^electron\/engine\/(backends\/embedded\/file\/(migrate|migrations\/[a-z-]+|damaged\/rebuild-from-pages)|deadline-mirror\/mirror-(schema|file))\.ts$/;
/** Build a statement for the table that their caller names; the call counts as the write. */
const BY_NAME = [
  'electron/engine/backends/embedded/tables/row-statements.ts',
  `${DEADLINE_INDEX}multi-row-insert.ts`,
];

const WRITES = [
  /\b(?:INSERT(?:\s+OR\s+\w+)?|REPLACE)\s+INTO\s+([^\s('"`;]*)/g,
  /\bUPDATE\s+(?:OR\s+\w+\s+)?([^\s('"`;]+)\s+SET\b/g,
  /\bDELETE\s+FROM\s+([^\s('"`;]*)/g,
  /\b(?:CREATE|DROP|ALTER)\s+(?:TEMP\s+)?TABLE\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?([^\s('"`;]*)/g,
  /\bnew ManyRows\(\s*[\w.#]+,\s*[`'"]([^\s('"`;]*)/g,
  /\b(?:insertRow|updateRow)\(\s*[\w.#]+,\s*[`'"]([^\s('"`;]*)/g,
];
/** Reads of `meta` count, too: only its owner names it. */
const READS_OF_META = /\b(?:FROM|JOIN)\s+(meta)\b/g;

/** Returns the writes of a source file to tables that another file owns, one sentence each. */
export function foreignWritesOf(path: string, source: string): string[] {
  if (MIGRATIONS.test(path)) return [];
  return [...WRITES, READS_OF_META]
    .flatMap(pattern => [...source.matchAll(pattern)])
    .flatMap(([statement, target = '']) => {
      const table = tableOf(target);
      const owner = OWNERS[table];
      if (owner !== undefined) return path === owner ? [] : [`${path}: ${statement} (${owner})`];
      return BY_NAME.includes(path) && table === 'N'
        ? []
        : [`${path}: ${statement} (a table without an owner)`];
    });
}

/** Returns the name of the table in OWNERS: `documents_${id}` is documents_N, and a name that is all computed is N. */
function tableOf(target: string): string {
  const [stem = '', computed] = target.replace(/^temp\./, '').split('${');
  return computed === undefined ? stem.replace(/_\d+$/, '_N') : `${stem}N`;
}
