import { describe, expect, it, onTestFinished } from 'vitest';
import { governanceOf } from '../../../../../../electron/engine/api/governance.ts';
import type { RemoteBackend } from '../../../../../../electron/engine/backends/backend.ts';
import { openByProduct } from '../../../../../../electron/engine/backends/postgresql/open-by-product.ts';
import { probePostgres } from '../../../../../../electron/engine/backends/postgresql/probe.ts';
import { MeterRegistry } from '../../../../../../electron/engine/expiry/meters.ts';
import { systemClock } from '../../../../../../electron/engine/platform/clock.ts';
import { createCockroachShapes } from '../../../../../support/cockroach-shapes.ts';
import { NEEDS_POSTGRES, postgresOfSuite } from '../../../../../support/postgres.ts';
import { silentLog } from '../../../../../support/redis-connection.ts';
import { runsHere } from '../../../../../support/runs-here.ts';

const HOUR_MS = 3_600_000;
const TTL_NAME = 'row_level_ttl';

describe.runIf(runsHere('shapes of CockroachDB', NEEDS_POSTGRES))(
  'a database that answers as CockroachDB does',
  () => {
    const server = postgresOfSuite();

    async function databaseOfShapes(): Promise<string> {
      const uri = await server.database();
      await createCockroachShapes(uri);
      return uri;
    }

    async function open(): Promise<RemoteBackend> {
      const options = { clock: systemClock, log: silentLog, meters: new MeterRegistry(), readOnly: false };
      const backend = await openByProduct({ uri: await databaseOfShapes(), ...options });
      onTestFinished(() => backend.close());
      return backend;
    }

    it('is recognised, and says that no live server was run', async () => {
      const backend = await open();
      expect(backend.capabilities).toMatchObject({ removedBy: 'engine', indexChoices: { name: TTL_NAME } });
      expect(backend.remote.server).toBe('CockroachDB 24.1.2');
      expect(backend.remote.findings.map(({ id }) => id)).toEqual([
        'not run live',
        'history not readable',
        'paused: "Ta.ble"',
        'job failed: "Ta.ble"',
        'runs rarely: "Ta.ble"',
        'runs rarely: events',
        'no statistics of jobs',
      ]);
      const uri = await databaseOfShapes();
      const probe = await probePostgres({ uri, secret: undefined, clock: systemClock, log: silentLog });
      expect(probe).toMatchObject({ server: 'CockroachDB 24.1.2', keys: 10, removedBy: 'engine' });
    });

    it('has the TTL of a table as a TTL index, with counted deadlines', async () => {
      const backend = await open();
      const governance = governanceOf(backend);
      expect(backend.collectionNames()).toEqual(
        ['"Ta.ble"', 'crdb_internal.jobs', 'events', 'plain'].filter(name => !name.startsWith('crdb')),
      );
      const [index] = await governance.indexes('events');
      expect(index).toMatchObject({
        name: TTL_NAME,
        source: { kind: 'lastModified', expireAfter: 600 },
        schedule: { mode: 'cron', cron: '@daily', timeZone: 'UTC' },
        limits: { removalsPerSecond: 40 },
        parameters: { ttl_label_metrics: true },
        paused: null,
        documents: 10,
        overdue: 3,
        dueNextHour: 1,
        passEveryMs: 24 * HOUR_MS,
      });
      const [other] = await governance.indexes('"Ta.ble"');
      expect(other).toMatchObject({ documents: 1, never: { count: 1 }, paused: { by: 'ttl_pause' } });
      expect(await governance.indexes('plain')).toEqual([]);
      const [summary] = await backend.reads.summaries(['events'], Date.now());
      expect(summary).toMatchObject({
        documents: 10,
        withDeadline: 10,
        overdue: 3,
        ttlIndexes: 1,
        state: 'running',
      });
    });

    it('lists rows with their deadlines, explains them, and counts the timeline [X1, X2]', async () => {
      const backend = await open();
      const query = {
        collection: 'events',
        limit: 100,
        sort: 'deadline',
        order: 'asc',
        includeExpired: true,
      } as const;
      const { documents } = await backend.reads.documents(query, Date.now());
      expect(documents.map(({ _id, state }) => `${_id} ${state}`).slice(0, 5)).toEqual([
        '1 overdue',
        '2 overdue',
        '3 overdue',
        '4 soon',
        '5 live',
      ]);
      expect((await backend.reads.explain('events', '5', Date.now())).sentence).toContain(
        'by the next TTL job',
      );
      const from = Date.now() - 4 * HOUR_MS;
      const answer = await backend.reads.timeline({ from, to: from + 16 * HOUR_MS, buckets: 16 }, Date.now());
      expect(answer.buckets.reduce((sum, { due }) => sum + due, 0)).toBe(10);
      expect(answer.buckets.reduce((sum, { expired }) => sum + expired, 0)).toBe(42);
    });

    it('previews another source exactly, and a new ttl_expire_after for every row [X3]', async () => {
      const governance = governanceOf(await open());
      const source = { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 0 } as const;
      expect(await governance.preview({ collection: '"Ta.ble"', source })).toMatchObject({
        documents: 2,
        dueAtOnce: 0,
        nextWeek: 1,
        never: { count: 1 },
        samples: [{ reason: null }, { reason: 'missing field' }],
      });
      const written = { kind: 'lastModified', expireAfter: 7_200 } as const;
      expect(await governance.preview({ collection: '"Ta.ble"', source: written })).toMatchObject({
        nextDay: 2,
      });
      expect(await governance.preview({ collection: 'events', name: TTL_NAME, drop: true })).toMatchObject({
        kind: 'drop',
        never: { count: 10 },
      });
      const wrong = { kind: 'expression', expression: 'no_such_column' } as const;
      await expect(governance.preview({ collection: 'events', source: wrong })).rejects.toMatchObject({
        code: 'INVALID_TTL_INDEX',
      });
      expect((await governance.candidates('"Ta.ble"')).fields.map(({ field }) => field)).toEqual(['at']);
    });

    it('shows the SQL of a change, and reports the refusal of the server [X5]', async () => {
      const governance = governanceOf(await open());
      const present = await governance.definition('events', TTL_NAME);
      expect(await governance.statements?.('events', { ...present, limits: {} })).toEqual([
        'ALTER TABLE "public"."events" RESET (ttl_delete_rate_limit)',
      ]);
      expect(await governance.statements?.('events', present)).toEqual([
        `ALTER TABLE "public"."events" SET (ttl_expire_after = '00:10:00', ttl_delete_rate_limit = 40, ttl_label_metrics = true)`,
      ]);
      const pause = { by: 'ada', since: 1 };
      await expect(governance.setPause({ collection: 'events' }, pause, 'ada')).rejects.toThrow(
        /^CockroachDB refuses this: unrecognized parameter/,
      );
      await expect(governance.setPause({}, pause, 'ada')).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
      });
      await expect(governance.create('events', present, { by: 'ada' })).rejects.toMatchObject({
        code: 'TTL_INDEX_EXISTS',
      });
      await expect(governance.drop('plain', TTL_NAME, 'ada')).rejects.toMatchObject({
        code: 'TTL_INDEX_NOT_FOUND',
      });
    });

    it('has the jobs of this database as passes, newest first [R7]', async () => {
      const governance = governanceOf(await open());
      const { passes } = await governance.passes({ limit: 10 });
      expect(passes).toMatchObject([
        {
          collection: '"Ta.ble"',
          removed: 0,
          ending: 'error',
          error: expect.stringContaining('schema change'),
        },
        { collection: 'events', removed: 42, ending: 'drained', error: null },
      ]);
      expect((await governance.passes({ collection: 'events', limit: 10 })).passes).toHaveLength(1);
      expect((await governance.passes({ limit: 10, before: passes[0]?.id })).passes).toHaveLength(1);
      expect(governance.reaperState).toMatchObject({
        state: 'engine',
        active: false,
        pausedIndexes: [{ collection: '"Ta.ble"', index: TTL_NAME, by: 'ttl_pause' }],
      });
    });
  },
);
