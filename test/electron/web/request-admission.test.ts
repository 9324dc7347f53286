import { createHash } from 'node:crypto';
import { RPCHandler } from '@orpc/server/message-port';
import { describe, expect, it } from 'vitest';
import { router } from '../../../electron/engine/api/router.ts';
import type { EngineHost } from '../../../electron/engine/client.ts';
import { createRequestAdmission } from '../../../electron/web/authentication/request-admission.ts';
import { type RunningEngine, runningEngine } from '../../../electron/web/engine/running-engine.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { openTestEngine } from '../../support/engine.ts';

const sha256 = (token: string) => createHash('sha256').update(token).digest('hex');
const WRITE = { permission: 'write', from: 'network' };

type Home = { readonly supervised: Parameters<typeof runningEngine>[0] };

/** A real engine in this thread, as the host has those of other threads. */
function running(home?: Home) {
  const { engine, client } = openTestEngine();
  const host: EngineHost = {
    attach(port, caller = { user: 'host', permission: 'configure', from: 'machine' }) {
      new RPCHandler(router).upgrade(port, { context: { engine, caller } });
      port.start();
    },
    stop: async () => {},
    exited: new Promise<number>(() => {}),
  };
  const supervised = { current: host, attach: host.attach };
  return { supervised, client, engine: runningEngine(supervised, home?.supervised) };
}

/** Admission to a home store and the connections `local` and `remote`; `closed` is known and not open. */
async function admission(launchToken = 'launch') {
  const home = running();
  const local = running();
  const remote = running(home);
  const engines: Readonly<Record<string, RunningEngine>> = { local: local.engine, remote: remote.engine };
  const tokenIn = async ({ client }: ReturnType<typeof running>, name: string) =>
    (await client.tokens.create({ name, permission: 'write' })).token;
  const admit = createRequestAdmission({
    engineAt(connection) {
      if (connection === undefined) return home.engine;
      const engine = engines[connection];
      if (engine !== undefined) return engine;
      const code = connection === 'closed' ? 'CONNECTION_NOT_OPEN' : 'CONNECTION_NOT_FOUND';
      throw new SandglassError(code, `no ${connection}`, { connection });
    },
    launchToken,
    user: 'ada',
  });
  return {
    admit,
    home: home.engine,
    local: local.engine,
    remote: remote.engine,
    ofHome: await tokenIn(home, 'grace'),
    ofLocal: await tokenIn(local, 'linus'),
    ofRemote: await tokenIn(remote, 'edsger'),
  };
}

describe('[P2] a token', () => {
  it('is valid for the store it was created in, and that of home for remote stores', async () => {
    const { admit, home, local, remote, ofHome, ofLocal, ofRemote } = await admission();
    const grace = { user: 'grace', token: sha256(ofHome), ...WRITE };
    const linus = { user: 'linus', token: sha256(ofLocal), ...WRITE };
    expect(await admit(ofHome, undefined)).toEqual({ engine: home, caller: grace });
    expect(await admit(ofHome, 'local')).toBeNull();
    expect(await admit(ofHome, 'remote')).toEqual({ engine: remote, caller: grace });
    expect(await admit(ofLocal, 'local')).toEqual({ engine: local, caller: linus });
    expect(await admit(ofLocal, undefined)).toBeNull();
    expect(await admit(ofLocal, 'remote')).toBeNull();
    expect(await admit(ofRemote, 'remote')).toBeNull();
    for (const unknown of ['', 'other', undefined])
      for (const connection of [undefined, 'local', 'remote'])
        expect(await admit(unknown, connection)).toBeNull();
  });

  it('[P1] of the printed address is valid for every store, if it is not too long', async () => {
    const longest = 'x'.repeat(512);
    const { admit, home, local, remote } = await admission(longest);
    const ada = { user: 'ada', permission: 'configure', from: 'network' };
    expect(await admit(longest, undefined)).toEqual({ engine: home, caller: ada });
    expect(await admit(longest, 'local')).toEqual({ engine: local, caller: ada });
    expect(await admit(longest, 'remote')).toEqual({ engine: remote, caller: ada });
    const tooLong = `${longest}x`;
    const other = await admission(tooLong);
    expect(await other.admit(tooLong, undefined)).toBeNull();
  });
});

describe('a connection that is unknown or not open', () => {
  it('is reported to callers of the home store only', async () => {
    const { admit, ofHome, ofLocal } = await admission();
    for (const token of ['launch', ofHome]) {
      await expect(admit(token, 'other')).rejects.toMatchObject({ code: 'CONNECTION_NOT_FOUND' });
      await expect(admit(token, 'closed')).rejects.toMatchObject({ code: 'CONNECTION_NOT_OPEN' });
    }
    for (const token of [ofLocal, 'wrong', undefined]) expect(await admit(token, 'other')).toBeNull();
    expect(await admit(undefined, 'closed')).toBeNull();
  });

  it('cannot check a token of its own while it is not open: 503', async () => {
    const { admit, ofLocal } = await admission();
    await expect(admit(ofLocal, 'closed')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      status: 503,
      message: 'This connection is not open, so the token cannot be checked. Try again later.',
    });
  });

  it('is not the reason of another error', async () => {
    const { home } = await admission();
    const admit = createRequestAdmission({
      engineAt(connection) {
        if (connection === undefined) return home;
        throw Object.assign(new Error('another'), { code: 'CONNECTION_NOT_OPEN' });
      },
      launchToken: 'launch',
      user: 'ada',
    });
    expect(await admit('wrong', 'other')).toBeNull();
    await expect(admit('launch', 'other')).rejects.toThrow('another');
  });
});
