import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EtcdClient } from '../../../electron/engine/backends/etcd/connection/etcd-client.ts';
import { parseEtcdUri } from '../../../electron/engine/backends/etcd/connection/etcd-uri.ts';
import { putReply } from '../../../electron/engine/backends/etcd/connection/replies.ts';
import { openEtcd } from '../../../electron/engine/backends/etcd/etcd-backend.ts';
import { grantLease, timeToLive } from '../../../electron/engine/backends/etcd/leases/lease-calls.ts';
import { MeterRegistry } from '../../../electron/engine/expiry/meters.ts';
import { systemClock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { createEtcdServer } from '../../support/etcd-server.ts';
import { type Figures, median, quantile, timed } from '../figures.ts';
import { HOUR_MS, type Story } from '../story.ts';

const AT_ONCE = 16;
const TIMES = 20;
const SPANS_MS = [60_000, HOUR_MS, 24 * HOUR_MS];

/**
 * Leases of etcd with a key each: the time until all deadlines are mirrored, against one call of TimeToLive per lease by
 * 16 callers, and then the timeline.
 */
export const enginesEtcd: Story = async ({ documents }, folder): Promise<Figures> => {
  const log = createLogger('warn', () => systemClock.now());
  const { server, stop } = await createEtcdServer('--unsafe-no-fsync');
  await server.start();
  const client = new EtcdClient({ target: parseEtcdUri(server.uri), clock: systemClock, log });
  try {
    const leases: string[] = [];
    await inParallel(documents, async i => {
      const { id } = await grantLease(client, systemClock, 3_600 + (i % 7_200));
      leases.push(id);
      const key = Buffer.from(`/app/sessions/${i}`).toString('base64');
      await client.call('kv/put', { key, value: 'dg==', lease: id }, putReply);
    });
    const loopMs = await timed(() =>
      inParallel(leases.length, async i => void (await timeToLive(client, systemClock, leases[i] ?? ''))),
    );
    const began = performance.now();
    const backend = await openEtcd({
      uri: server.uri,
      mirrorFile: join(folder, 'mirror.sqlite'),
      clock: systemClock,
      log,
      meters: new MeterRegistry(),
      readOnly: false,
    });
    const withDeadline = async () =>
      (await backend.reads.summaries(null, systemClock.now())).reduce(
        (sum, one) => sum + one.withDeadline,
        0,
      );
    while (backend.remote.mirror?.is !== 'live' || (await withDeadline()) < documents) await sleep(20);
    const mirrorMs = performance.now() - began;
    const now = systemClock.now();
    const timelines: number[] = [];
    for (let i = 0; i < TIMES; i += 1)
      for (const spanMs of SPANS_MS)
        timelines.push(
          await timed(() =>
            backend.reads.timeline({ from: now + i, to: now + i + spanMs, buckets: 300 }, now),
          ),
        );
    await backend.close();
    return {
      mirrorMs,
      loopMs,
      timelineMs: median(timelines),
      timelineMaxMs: quantile(timelines, 0.99),
    };
  } finally {
    client.close();
    await stop();
  }
};

/** Calls `act` with 0 to `count` − 1, AT_ONCE at a time. */
async function inParallel(count: number, act: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
