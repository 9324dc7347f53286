import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readServerFacts } from '../../../../../electron/engine/backends/etcd/server/server-facts.ts';
import { openTestEtcd, type TestEtcd } from '../../../../support/etcd-client.ts';
import { NEEDS_ETCD, startEtcd } from '../../../../support/etcd-server.ts';
import { runsHere } from '../../../../support/runs-here.ts';

const anything = z.unknown();
const encode = (text: string) => Buffer.from(text).toString('base64');

/** Turns authentication on, with the users `root` and `ada`, who may only read and write below `app/`. */
async function turnOnAuthentication({ client }: TestEtcd): Promise<void> {
  const auth = (path: string, body: object) =>
    client.call(`auth/${path}`, body, anything, { isRepeatable: false });
  const perm = { permType: 'READWRITE', key: encode('app/'), range_end: encode('app0') };
  await auth('user/add', { name: 'root', password: 'admin' });
  await auth('role/add', { name: 'root' });
  await auth('user/grant', { user: 'root', role: 'root' });
  await auth('role/add', { name: 'app' });
  await auth('role/grant', { name: 'app', perm });
  await auth('user/add', { name: 'ada', password: 'hunter2' });
  await auth('user/grant', { user: 'ada', role: 'app' });
  await auth('enable', {});
}

describe.runIf(runsHere('calls of etcd', NEEDS_ETCD))('a client of etcd', { timeout: 90_000 }, () => {
  it('tries the next member when one does not answer', async () => {
    const server = await startEtcd();
    const etcd = openTestEtcd(server.uri.replace('etcd://', 'etcd://127.0.0.1:1,'));
    await etcd.put('a', '1');
    expect(await etcd.get('a')).toMatchObject({ value: '1' });
  });

  it('reports a server that is not running, and one that is not etcd', async () => {
    const server = await startEtcd();
    const etcd = openTestEtcd(server.uri);
    const facts = await readServerFacts(etcd.client);
    expect(facts).toMatchObject({
      version: expect.stringMatching(/^3\./),
      leaderId: facts.memberId,
      quotaBytes: null,
    });
    await expect(etcd.client.call('no/such/call', {}, anything)).rejects.toMatchObject({
      code: 'SERVER_UNREACHABLE',
      message: expect.stringMatching(/HTTP 404/),
    });
    await server.kill();
    await expect(etcd.get('a')).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE' });
    await server.start();
    expect(await etcd.get('a')).toBeNull();
  });

  it('logs in, also after the server has lost its tokens, and is refused without the right password', async () => {
    const server = await startEtcd('--bcrypt-cost', '4');
    await turnOnAuthentication(openTestEtcd(server.uri));
    const login = (user: string) => openTestEtcd(server.uri.replace('etcd://', `etcd://${user}@`));
    const ada = login('ada:hunter2');
    await ada.put('app/a', '1');
    expect(await ada.get('app/a')).toMatchObject({ value: '1' });
    await expect(ada.put('other', '1')).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(login('ada:wrong').get('app/a')).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(openTestEtcd(server.uri).get('app/a')).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await server.kill();
    await server.start();
    expect(await ada.get('app/a')).toMatchObject({ value: '1' });
  });
});
