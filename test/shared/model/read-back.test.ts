import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../electron/cli/commands.ts';
import { parseArguments } from '../../../electron/cli/syntax/parsed-arguments.ts';
import {
  actionOf,
  limitsOf,
  retentionOf,
  scheduleOf,
  sourceOf,
} from '../../../electron/cli/syntax/ttl-options.ts';
import { ttlIndexes } from '../../../shared/contract/ttl-indexes.ts';
import { readBackOf } from '../../../shared/model/index-statements/index-statements.ts';
import { parseJson, stringifyJson } from '../../../shared/model/json/json.ts';
import type { OnExpire, Schedule, TtlIndexDefinition, TtlSource } from '../../../shared/model/ttl-index.ts';

const PLAIN: TtlIndexDefinition = {
  name: 'seen_30d',
  source: { kind: 'field', field: 'lastSeen', unit: 'seconds', expireAfter: 2_592_000 },
  onExpire: { action: 'delete' },
  schedule: { mode: 'exact' },
  limits: {},
  retention: null,
};
const of = (change: Partial<TtlIndexDefinition>, collection = 'sessions') =>
  readBackOf(collection, { ...PLAIN, ...change });

/** Texts that a shell, SQL, JavaScript or an option parser could misread. */
const text = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
    fc.constantFrom(
      "it's",
      '"q"',
      '\\',
      '$(rm -rf /)',
      '`x`',
      '-x',
      '--',
      '--name',
      'a b',
      '!',
      '😀',
      '*',
      '#a',
      '~',
      "'",
      "''",
      'a\\',
      '%s',
      '&&',
      'null',
      '{"a":1}',
      'x:y',
    ),
  )
  .filter(value => !/[\p{Cc}/]/u.test(value) && value.isWellFormed());
const field = text.map(value => value.replaceAll('.', '_'));
const seconds = fc.oneof(
  fc.constantFrom(0, 1, 0.001, 0.5, 60, 90, 3_600, 86_400, 2_592_000, 1e-7, 1.23456789e-7, 3_155_760_000),
  fc.double({ min: 0, max: 3e9, noNaN: true }).map(value => value + 0),
);
const formats = fc.record({
  formats: fc.array(fc.oneof(text, fc.constantFrom('yyyy-MM-dd HH:mm:ss', "dd.MM.yyyy'T'HH", 'iso')), {
    minLength: 1,
    maxLength: 3,
  }),
});
const source: fc.Arbitrary<TtlSource> = fc.oneof(
  fc
    .tuple(formats, field, seconds, fc.option(fc.constantFrom('Europe/Berlin', '-02:00')))
    .map(([read, path, expireAfter, zone]) => ({
      kind: 'field' as const,
      field: path,
      unit: 'seconds' as const,
      ...read,
      ...(zone !== null && { zone }),
      expireAfter,
    })),
  fc.record({
    kind: fc.constant('field' as const),
    field,
    unit: fc.constantFrom('seconds' as const, 'milliseconds' as const),
    expireAfter: seconds,
  }),
  fc.record({
    kind: fc.constant('field' as const),
    field,
    unit: fc.constantFrom('seconds' as const, 'milliseconds' as const),
    expireAfterField: field,
  }),
  fc.record({ kind: fc.constant('lastModified' as const), expireAfter: seconds }),
  fc.record({ kind: fc.constant('expression' as const), expression: text }),
);
const onExpire: fc.Arbitrary<OnExpire> = fc.oneof(
  fc.constant({ action: 'delete' as const }),
  fc.record({
    action: fc.constant('patch' as const),
    patch: fc
      .dictionary(text, fc.oneof(text, fc.constant(null), fc.constant(2n ** 60n), fc.integer()))
      .map(entries => ({ ...entries })),
  }),
  fc.record({ action: fc.constant('replace' as const), expression: text }),
  fc.record({ action: fc.constant('move' as const), to: text }),
);
const schedule: fc.Arbitrary<Schedule> = fc.oneof(
  fc.constantFrom({ mode: 'exact' as const }, { mode: 'observe' as const }),
  fc.record({ mode: fc.constant('every' as const), everyMs: fc.integer({ min: 1, max: 86_400_000 }) }),
  fc.record({
    mode: fc.constant('cron' as const),
    cron: fc.constantFrom('0 * * * *', '*/5 * * * 1-5', '0 0 L * *'),
    timeZone: fc.constantFrom('UTC', 'Europe/Berlin'),
  }),
);
const definition: fc.Arbitrary<TtlIndexDefinition> = fc.record({
  name: text,
  source,
  onExpire,
  schedule,
  limits: fc.record(
    {
      removalsPerSecond: fc.oneof(
        fc.constant(0),
        fc.double({ min: 0, max: 1e7, noNaN: true }).map(value => value + 0),
      ),
      batchMs: fc.double({ min: 0.5, max: 1_000, noNaN: true }),
      batchSize: fc.nat(1_000_000),
    },
    { requiredKeys: [] },
  ),
  retention: fc.option(seconds),
});

const create = COMMANDS.find(({ name }) => name === 'ttl create');

/** Parses the words of a command line. */
function understood(words: readonly string[]): { collection: string; definition: TtlIndexDefinition } {
  if (create === undefined) throw new Error('there is no `ttl create`');
  const given = parseArguments(create, words);
  return {
    collection: given.argument('COLLECTION'),
    definition: {
      name: given.text('name') ?? '',
      source: sourceOf(given),
      onExpire: actionOf(given) ?? { action: 'delete' },
      schedule: scheduleOf(given) ?? { mode: 'exact' },
      limits: limitsOf(given),
      retention: retentionOf(given) ?? null,
    },
  };
}

/** Returns the words into which a real shell splits each line. */
function splitByShell(lines: readonly string[]): string[][] {
  const script = lines
    .map(line => `${line.replace('sandglass', `printf '%s\\0'`)}; printf '\\0\\0'`)
    .join('\n');
  return execFileSync('sh', ['-s'], { input: script, encoding: 'utf8', maxBuffer: 1e8 })
    .split('\0\0\0')
    .slice(0, -1)
    .map(words => words.split('\0'));
}

describe('the call that would create an index', () => {
  it('[X5] by REST is accepted by POST, and creates the same index', () => {
    const body = ttlIndexes.create['~orpc'].inputSchema;
    fc.assert(
      fc.property(text, definition, (collection, made) => {
        const { rest } = readBackOf(collection, made);
        expect(rest.method).toBe('POST');
        const name = /^\/api\/collections\/([^/]+)\/ttl-indexes$/.exec(rest.path)?.[1] ?? '';
        expect(decodeURIComponent(name)).toBe(collection);
        const sent = parseJson(stringifyJson(rest.body));
        const taken = body?.safeParse({ collection, ...(typeof sent === 'object' ? sent : {}) });
        expect(taken?.error).toBeUndefined();
        expect(taken?.data).toEqual({ collection, ...made });
      }),
    );
  });

  it('[X5] by command line is one line that a shell splits correctly for any names, and creates the same index', () => {
    const made = fc.sample(fc.tuple(text, definition), { numRuns: 300, seed: 7 });
    const lines = made.map(([collection, one]) => readBackOf(collection, one).cli);
    const words = splitByShell(lines);
    expect(words).toHaveLength(made.length);
    for (const [i, [collection, one]] of made.entries()) {
      expect(words[i]?.slice(0, 2)).toEqual(['ttl', 'create']);
      expect(understood(words[i]?.slice(2) ?? []), lines[i]).toEqual({ collection, definition: one });
    }
  });

  it('[X5] is short for a simple index', () => {
    expect(of({}).cli).toBe(
      'sandglass ttl create sessions --name seen_30d --field lastSeen --expire-after 30d',
    );
    expect(of({ source: { kind: 'lastModified', expireAfter: 5_400 } }, "it's").cli).toBe(
      `sandglass ttl create 'it'\\''s' --name seen_30d --last-modified --expire-after 1h30m`,
    );
  });
});

describe('the same index', () => {
  it('[X5] in CockroachDB is a parameter of the table, quoted as SQL is', () => {
    expect(of({ source: { kind: 'lastModified', expireAfter: 300 } }).cockroachdb.statement).toBe(
      `ALTER TABLE "sessions" SET (ttl_expire_after = '300 seconds');`,
    );
    const zero: TtlSource = { kind: 'field', field: 'it"s', unit: 'seconds', expireAfter: 0 };
    const cron: Schedule = { mode: 'cron', cron: '0 * * * *', timeZone: 'UTC' };
    expect(
      of({ source: zero, schedule: cron, limits: { removalsPerSecond: 100, batchSize: 200 } }, 'a"b')
        .cockroachdb,
    ).toEqual({
      statement: `ALTER TABLE "a""b" SET (ttl_expiration_expression = '"it""s"', ttl_job_cron = '0 * * * *', ttl_delete_rate_limit = 100, ttl_delete_batch_size = 200);`,
      reason: 'The column "it""s" has to be a TIMESTAMPTZ: text and numbers are not dates there.',
    });
    expect(of({ source: { ...zero, field: "o'clock", expireAfter: 1.5 } }).cockroachdb.statement).toBe(
      `ALTER TABLE "sessions" SET (ttl_expiration_expression = '(("o''clock" AT TIME ZONE ''UTC'') + INTERVAL ''1.5 seconds'') AT TIME ZONE ''UTC''');`,
    );
    expect(
      of({ source: { kind: 'field', field: 'at', unit: 'seconds', expireAfterField: 'ttl' } }).cockroachdb
        .statement,
    ).toContain(`"ttl" * INTERVAL ''1 second''`);
    expect(of({ schedule: { mode: 'observe' } }).cockroachdb.statement).toContain('ttl_pause = true');
    expect(of({ schedule: { ...cron, timeZone: 'Asia/Tokyo' } }).cockroachdb.reason).toContain('Asia/Tokyo');
  });

  it('[X5] in MongoDB is createIndex, quoted as JavaScript is', () => {
    expect(of({}).mongodb.statement).toBe(
      'db.getCollection("sessions").createIndex({"lastSeen": 1}, {expireAfterSeconds: 2592000, name: "seen_30d"})',
    );
    expect(of({}).mongodb.reason).toContain('BSON dates');
    const odd = of(
      { name: 'a"b\\', source: { kind: 'field', field: `x"y.z'`, unit: 'seconds', expireAfter: 0 } },
      '😀"',
    );
    expect(odd.mongodb.statement).toBe(
      `db.getCollection("😀\\"").createIndex({"x\\"y.z'": 1}, {expireAfterSeconds: 0, name: "a\\"b\\\\"})`,
    );
  });

  it('[X5] in ArangoDB is ensureIndex, in seconds', () => {
    expect(of({}).arangodb.statement).toBe(
      'db._collection("sessions").ensureIndex({type: "ttl", name: "seen_30d", fields: ["lastSeen"], expireAfter: 2592000})',
    );
    const milliseconds: TtlSource = { kind: 'field', field: 'at', unit: 'milliseconds', expireAfter: 0 };
    expect(of({ source: milliseconds }).arangodb).toEqual({
      statement: null,
      reason: expect.stringContaining('seconds'),
    });
  });

  it('[X5] is missing, with the reason, if a system has no equivalent', () => {
    const actions: OnExpire[] = [
      { action: 'patch', patch: {} },
      { action: 'replace', expression: 'doc' },
      { action: 'move', to: 'x' },
    ];
    const refused = [
      ...actions
        .map(one => of({ onExpire: one }))
        .flatMap(one => [one.cockroachdb, one.mongodb, one.arangodb]),
      ...[of({ source: { kind: 'expression', expression: 'doc.at' } })].flatMap(one => [
        one.cockroachdb,
        one.mongodb,
        one.arangodb,
      ]),
      ...[of({ source: { kind: 'lastModified', expireAfter: 1 } })].flatMap(one => [
        one.mongodb,
        one.arangodb,
      ]),
      ...[of({ source: { kind: 'field', field: 'a', unit: 'seconds', expireAfterField: 'b' } })].flatMap(
        one => [one.mongodb, one.arangodb],
      ),
      ...[of({ schedule: { mode: 'observe' } })].flatMap(one => [one.mongodb, one.arangodb]),
      of({ source: { kind: 'lastModified', expireAfter: 0 } }).cockroachdb,
      of({ source: { kind: 'field', field: 'a.b', unit: 'seconds', expireAfter: 0 } }).cockroachdb,
      of({ source: { kind: 'field', field: 'a', unit: 'seconds', expireAfter: 0.5 } }).mongodb,
      of({ source: { kind: 'field', field: 'a', unit: 'seconds', expireAfter: 3e9 } }).mongodb,
      of({ source: { kind: 'field', field: 'a.$b', unit: 'seconds', expireAfter: 0 } }).mongodb,
      of({}, 'system.x').mongodb,
    ];
    expect(refused).toHaveLength(24);
    for (const { statement, reason } of refused) {
      expect(statement).toBeNull();
      expect(reason).toMatch(/\.$/);
    }
  });
});
