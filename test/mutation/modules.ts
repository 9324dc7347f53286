/** Modules whose tests are measured, and where their tests are, in the order in which they are tried. */
export interface MutatedModule {
  readonly name: string;
  /** Globs from the root. */
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

const EXPIRY_TESTS = [
  'test/electron/engine/expiry/**/*.test.ts',
  'test/electron/engine/{history,definitions}/*.test.ts',
];

/** Rules and figures of `expiry/` that need no store. */
const EXPIRY_RULES =
  '{breaker,cumulative-buckets,drain-rate,failures,histogram,lag-meter,meters,minute-counter,pass-caps,pass-tally,rate-meter,token-bucket}';

export const MODULES: readonly MutatedModule[] = [
  {
    name: 'durations',
    sources: ['shared/model/duration.ts', 'shared/model/cel/duration.ts'],
    tests: ['test/shared/model/{duration,format}.test.ts'],
  },
  {
    name: 'dates',
    // `zone-table.ts` is a generated table.
    sources: ['shared/model/dates/!(zone-table).ts'],
    tests: [
      'test/shared/model/dates/*.test.ts',
      'test/shared/model/zone.test.ts',
      'test/electron/engine/definitions/date-formats.test.ts',
    ],
  },
  {
    name: 'deadline',
    sources: ['electron/engine/expiry/deadline.ts'],
    tests: ['test/electron/engine/expiry/deadline.test.ts'],
  },
  {
    name: 'expiry-rules',
    sources: [`electron/engine/expiry/${EXPIRY_RULES}.ts`, 'electron/engine/expiry/schedule/*.ts'],
    tests: [
      'test/electron/engine/expiry/{limits,meters,histogram,token-bucket,drain-rate}.test.ts',
      'test/electron/engine/expiry/schedule/*.test.ts',
    ],
  },
  {
    name: 'reaper',
    sources: [`electron/engine/expiry/!(deadline|${EXPIRY_RULES.slice(1, -1).replaceAll(',', '|')}).ts`],
    tests: [...EXPIRY_TESTS, 'test/electron/engine/monitoring/{metrics,series}.test.ts'],
  },
  {
    name: 'deadline-index',
    sources: ['electron/engine/deadline-index/*.ts'],
    tests: [
      'test/electron/engine/deadline-index/*.test.ts',
      'test/electron/engine/deadline-mirror/*.test.ts',
      ...EXPIRY_TESTS,
    ],
  },
  { name: 'reaping', sources: ['electron/engine/backends/embedded/expiry/*.ts'], tests: EXPIRY_TESTS },
  {
    name: 'change-log',
    sources: [
      'electron/engine/backends/embedded/tables/change-log/*.ts',
      'electron/engine/maintenance/change-log-compaction.ts',
      'shared/model/change-log/*.ts',
    ],
    tests: [
      'test/shared/model/change-log/*.test.ts',
      'test/electron/engine/feeds/*.test.ts',
      'test/electron/engine/documents/{revisions,commit-listeners}.test.ts',
      'test/electron/engine/replication/{follower,leader,replica,purges}.test.ts',
      ...EXPIRY_TESTS,
    ],
  },
  {
    name: 'admission',
    sources: [
      'electron/web/authentication/request-admission.ts',
      'electron/web/authentication/token-lookup.ts',
    ],
    tests: [
      'test/electron/web/{request-admission,token,permissions,remote-tokens,rest,server,connections}.test.ts',
    ],
  },
];
