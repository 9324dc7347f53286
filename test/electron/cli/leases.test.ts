import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandglassHere } from '../../support/cli.ts';
import { openTestEtcd } from '../../support/etcd-client.ts';
import { etcdOfSuite, NEEDS_ETCD } from '../../support/etcd-server.ts';
import { runsHere } from '../../support/runs-here.ts';
import { type ServedHost, startServedHost } from '../../support/served-host.ts';

describe.runIf(runsHere('leases on the command line', NEEDS_ETCD))('sandglass with etcd', () => {
  const server = etcdOfSuite();
  let host: ServedHost;
  beforeAll(async () => {
    host = await startServedHost({ folder: mkdtempSync(join(tmpdir(), 'sandglass-leases-')) });
    const added = await sandglassHere(['connection', 'add', server.uri, 'cluster', '--url', host.link]);
    expect(added.stderr).toBe('');
  });
  afterAll(() => host?.stop());

  const run = (...words: string[]) =>
    sandglassHere([...words, '--url', host.link, '--connection', 'cluster']);

  it('has the words of the engine in the list of `collections`', async () => {
    expect((await run('collections')).stdout).toMatch(/^There are no prefixes\.$/m);
    await openTestEtcd(server.uri).put('words/a', 'value');
    await expect
      .poll(async () => (await run('collections')).stdout, { timeout: 20_000 })
      .toMatch(/^prefix +keys +size +with deadline/);
  });

  it('grants a lease, attaches and detaches a key, and names the keys before they are deleted', async () => {
    const etcd = openTestEtcd(server.uri);
    await etcd.put('jobs/a', 'value');
    await etcd.put('other/b', 'value');
    const granted = await run('leases', 'grant', '--ttl', '10m', '--json');
    const { id } = JSON.parse(granted.stdout);
    await expect
      .poll(async () => (await run('leases', 'list')).stdout, { timeout: 20_000 })
      .toMatch(/Keys without a lease: .*jobs \(1\)/);

    const refused = await run('leases', 'attach', id, 'jobs', 'jobs/a');
    expect(refused).toMatchObject({ code: 5 });
    expect(refused.stderr).toMatch(/jobs\/a would be deleted with the lease .* in (9|10) m/);
    expect((await run('leases', 'attach', id, 'jobs', 'jobs/a', '--yes')).stdout).toMatch(/^ {2}jobs\/a$/m);
    expect((await run('leases', 'list')).stdout).toMatch(
      new RegExp(`^${id} +10 m +in .+ +1 key \\(jobs/a\\)$`, 'm'),
    );
    expect((await run('leases', 'show', 'jobs', 'jobs/a')).stdout).toMatch(new RegExp(`^lease +${id}$`, 'm'));

    expect((await run('leases', 'detach', id, 'jobs', 'jobs/a')).stdout).toMatch(/^keys +0$/m);
    expect(await run('leases', 'show', 'jobs', 'jobs/a')).toMatchObject({
      code: 5,
      stderr: 'jobs/a has no lease: it never expires.\n',
    });

    await run('leases', 'attach', id, 'jobs', 'jobs/a', '--yes');
    expect((await run('leases', 'keep-alive', id)).stderr).toMatch(/1 key \(jobs\/a\) would stay/);
    expect(await run('leases', 'keep-alive', id, '--yes')).toMatchObject({ code: 0 });
    const question = await run('leases', 'revoke', id);
    expect(question).toMatchObject({ code: 5 });
    expect(question.stderr).toMatch(/1 key \(jobs\/a\) would be deleted/);
    expect((await run('leases', 'revoke', id, '--yes')).stdout).toMatch(/keys deleted: 1/);
    expect(await etcd.get('jobs/a')).toBeNull();
    expect(await run('leases', 'show', id)).toMatchObject({ code: 3 });
  });
});
