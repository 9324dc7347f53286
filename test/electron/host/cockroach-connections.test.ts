import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startCockroachServer } from '../../support/cockroach-server.ts';
import { openTestConnections } from '../../support/connections.ts';
import { NEEDS_POSTGRES, postgresOfSuite } from '../../support/postgres.ts';
import { runsHere } from '../../support/runs-here.ts';

describe.runIf(runsHere('CockroachDB as a connection', NEEDS_POSTGRES))(
  'a CockroachDB database as a connection',
  { timeout: 120_000 },
  () => {
    const suite = postgresOfSuite();

    it('is recognised once it answers, if it could not be reached when the connection was opened', async () => {
      const server = await startCockroachServer(await suite.database());
      onTestFinished(() => server.stop());
      const all = await openTestConnections();
      const { id } = await all
        .client()
        .connections.add({ name: 'orders', target: { kind: 'postgresql', uri: server.uri }, closed: true });
      await server.stop();
      await all.client().connections.open({ id });
      await all.opened(id);
      const before = await all.client(id).store.info();
      expect(before.remote).toMatchObject({ server: 'PostgreSQL', unreachable: expect.anything() });
      await server.start();
      await vi.waitFor(
        async () => {
          const { remote, capabilities } = await all.client(id).store.info();
          expect(remote).toMatchObject({ server: 'CockroachDB 24.1.2', unreachable: null });
          expect(capabilities.removedBy).toBe('engine');
        },
        { timeout: 60_000, interval: 100 },
      );
      expect(await all.client(id).ttlIndexes.list({ collection: 'events' })).toMatchObject([
        { name: 'row_level_ttl' },
      ]);
      await expect(all.client(id).metrics.expired({})).rejects.toMatchObject({
        code: 'NOT_SUPPORTED',
        data: {
          feature: 'removals',
          reason: expect.stringMatching(/does not report which rows its TTL jobs delete/),
        },
      });
    });
  },
);
