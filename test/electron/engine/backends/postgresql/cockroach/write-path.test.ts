import { describe, expect, it, onTestFinished } from 'vitest';
import { governanceOf } from '../../../../../../electron/engine/api/governance.ts';
import { openByProduct } from '../../../../../../electron/engine/backends/postgresql/open-by-product.ts';
import { MeterRegistry } from '../../../../../../electron/engine/expiry/meters.ts';
import { systemClock } from '../../../../../../electron/engine/platform/clock.ts';
import { type CockroachServer, startCockroachServer } from '../../../../../support/cockroach-server.ts';
import { NEEDS_POSTGRES, postgresOfSuite } from '../../../../../support/postgres.ts';
import { silentLog } from '../../../../../support/redis-connection.ts';
import { runsHere } from '../../../../../support/runs-here.ts';

const TTL_NAME = 'row_level_ttl';
const BY_ADA = { by: 'ada', since: 1 };

describe.runIf(runsHere('statements of CockroachDB', NEEDS_POSTGRES))(
  'a server that takes the statements of CockroachDB',
  () => {
    const suite = postgresOfSuite();

    async function open() {
      const server: CockroachServer = await startCockroachServer(await suite.database());
      onTestFinished(() => server.stop());
      const options = { clock: systemClock, log: silentLog, meters: new MeterRegistry(), readOnly: false };
      const backend = await openByProduct({ uri: server.uri, ...options });
      onTestFinished(() => backend.close());
      return { server, backend, governance: governanceOf(backend) };
    }

    it('has schedules, and the next run of each', async () => {
      const { backend, governance } = await open();
      expect(backend.remote.findings.map(({ id }) => id)).not.toContain('history not readable');
      expect(governance.reaperState.nextWakeAt).toBeGreaterThan(Date.now());
      expect(await governance.indexes('events')).toMatchObject([{ createdBy: 'root' }]);
    });

    it('changes what differs, and has the changed parameters afterwards [X5]', async () => {
      const { server, governance } = await open();
      const present = await governance.definition('events', TTL_NAME);
      const changed = {
        ...present,
        source: { kind: 'lastModified', expireAfter: 7_200 },
        limits: {},
        parameters: { ...present.parameters, ttl_select_batch_size: 100 },
      } as const;
      await governance.change('events', changed, { by: 'ada' });
      expect(server.changes).toEqual([
        `ALTER TABLE "public"."events" SET (ttl_expire_after = '7200 seconds', ttl_select_batch_size = 100)`,
        'ALTER TABLE "public"."events" RESET (ttl_delete_rate_limit)',
      ]);
      expect(await governance.definition('events', TTL_NAME)).toEqual(changed);
    });

    it('creates a TTL over a column, and drops it', async () => {
      const { server, governance } = await open();
      const definition = {
        ...(await governance.definition('events', TTL_NAME)),
        source: { kind: 'field', field: 'at', unit: 'seconds', expireAfter: 0 },
        parameters: {},
        limits: {},
      } as const;
      await governance.create('plain', definition, { by: 'ada' });
      expect(await governance.indexes('plain')).toMatchObject([{ source: definition.source, documents: 0 }]);
      await governance.drop('plain', TTL_NAME, 'ada');
      expect(await governance.indexes('plain')).toEqual([]);
      expect(server.changes).toEqual([
        `ALTER TABLE "public"."plain" SET (ttl_expiration_expression = '"at"')`,
        'ALTER TABLE "public"."plain" RESET (ttl)',
      ]);
    });

    it('pauses and resumes one table by its parameter, and all tables by their schedules [R6]', async () => {
      const { server, governance } = await open();
      await governance.setPause({ collection: 'events' }, BY_ADA, 'ada');
      expect(await governance.indexes('events')).toMatchObject([{ paused: BY_ADA }]);
      await governance.setPause({ collection: 'events' }, null, 'ada');
      expect(await governance.indexes('events')).toMatchObject([{ paused: null }]);
      await governance.setPause({}, BY_ADA, 'ada');
      expect(await governance.indexes('events')).toMatchObject([{ paused: BY_ADA }]);
      await governance.setPause({}, null, 'ada');
      expect(await governance.indexes('events')).toMatchObject([{ paused: null }]);
      expect(server.changes).toEqual([
        'ALTER TABLE "public"."events" SET (ttl_pause = true)',
        'ALTER TABLE "public"."events" RESET (ttl_pause)',
        expect.stringMatching(/^PAUSE SCHEDULE 93\d+$/),
        expect.stringMatching(/^PAUSE SCHEDULE 93\d+$/),
        expect.stringMatching(/^RESUME SCHEDULE 93\d+$/),
        expect.stringMatching(/^RESUME SCHEDULE 93\d+$/),
      ]);
    });
  },
);
