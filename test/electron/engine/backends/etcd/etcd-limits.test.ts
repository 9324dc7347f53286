import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { type EtcdBackend, openEtcd } from '../../../../../electron/engine/backends/etcd/etcd-backend.ts';
import { probeEtcd } from '../../../../../electron/engine/backends/etcd/probe.ts';
import { MeterRegistry } from '../../../../../electron/engine/expiry/meters.ts';
import { systemClock } from '../../../../../electron/engine/platform/clock.ts';
import { openTestEtcd, silentLog, type TestEtcd } from '../../../../support/etcd-client.ts';
import { NEEDS_ETCD, startEtcd } from '../../../../support/etcd-server.ts';
import { runsHere } from '../../../../support/runs-here.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';

/** Steps that take milliseconds take seconds on a loaded machine. */
const SOON = { timeout: 30_000, interval: 50 };
const ANYTHING = z.unknown();

async function open(uri: string): Promise<EtcdBackend> {
  const backend = await openEtcd({
    uri,
    mirrorFile: join(temporaryFolder(), 'mirror.sqlite'),
    clock: systemClock,
    log: silentLog,
    meters: new MeterRegistry(),
    readOnly: false,
  });
  onTestFinished(() => backend.close());
  return backend;
}

const encode = (text: string) => Buffer.from(text).toString('base64');

/** Creates the users root and reader, who may read the keys of `/app/`, and turns authentication on. */
async function turnOnAuthentication({ client }: TestEtcd): Promise<void> {
  const call = (path: string, body: object) => client.call(`auth/${path}`, body, ANYTHING);
  for (const name of ['root', 'reader']) {
    await call('role/add', { name });
    await call('user/add', { name, password: 'secret' });
    await call('user/grant', { user: name, role: name });
  }
  const perm = { permType: 'READ', key: encode('/app/'), range_end: encode('/app0') };
  await call('role/grant', { name: 'reader', perm });
  await call('enable', {});
}

describe.runIf(runsHere('limits of etcd', NEEDS_ETCD))('a cluster of etcd', { timeout: 90_000 }, () => {
  it('that refuses a user names the permission that is missing', async () => {
    const server = await startEtcd();
    const root = openTestEtcd(server.uri);
    const lease = await root.grant(600);
    await root.put('/app/a', 'value', lease);
    await root.put('/other/b', 'value');
    await turnOnAuthentication(root);
    const uri = server.uri.replace('etcd://', 'etcd://reader:secret@');

    const backend = await open(`${uri}/?prefix=/app/`);
    await vi.waitFor(() => expect(backend.remote.mirror?.is).toBe('live'), SOON);
    const [collection = ''] = backend.collectionNames();
    const { failed } = await backend.setExpiration(collection, ['/app/a'], { after: 60 });
    expect(failed).toEqual([
      {
        _id: '/app/a',
        code: 'PERMISSION_DENIED',
        message: 'The etcd user reader needs permission to read and write the key /app/a.',
      },
    ]);
    await expect(
      backend.leases.revoke({ id: BigInt(lease).toString(16), keyCount: 1 }),
    ).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      message: 'The etcd user reader needs permission to write every key of the lease.',
    });

    const everything = await open(uri);
    await vi.waitFor(
      () =>
        expect(everything.remote.mirror).toMatchObject({
          is: 'stale',
          reason: 'The etcd user reader needs permission to read all keys.',
        }),
      SOON,
    );
  });

  it('over its quota is reported with the remedy; a deadline is refused, and a key can be deleted', async () => {
    const server = await startEtcd('--quota-backend-bytes', String(2 * 1_024 * 1_024));
    const etcd = openTestEtcd(server.uri);
    await etcd.put('jobs/a', 'value');
    const backend = await open(server.uri);
    await vi.waitFor(() => expect(backend.remote.mirror?.is).toBe('live'), SOON);
    const filled = async () => {
      for (let n = 0; n < 100; n++) await etcd.put(`fill/${n}`, 'x'.repeat(200_000));
    };
    await expect(filled()).rejects.toMatchObject({ code: 'DISK_FULL' });
    const { findings } = await probeEtcd({
      uri: server.uri,
      secret: undefined,
      clock: systemClock,
      log: silentLog,
    });
    expect(findings).toContainEqual(
      expect.objectContaining({
        id: 'quota alarm',
        severity: 'warning',
        advice: expect.stringContaining('etcdctl alarm disarm'),
      }),
    );
    const { failed } = await backend.setExpiration('jobs', ['jobs/a'], { after: 60 });
    expect(failed).toMatchObject([{ _id: 'jobs/a', code: 'DISK_FULL' }]);
    expect(await backend.delete('jobs', ['jobs/a'])).toMatchObject({ succeeded: 1 });
  });
});
