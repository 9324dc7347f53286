import { expect, it, onTestFinished } from 'vitest';
import { CONNECTION_PARAMETER } from '../../../shared/model/transport/connection-id.ts';
import { NEEDS_REDIS, startRedis } from '../../support/redis.ts';
import { runsHere } from '../../support/runs-here.ts';
import { fetchFrom, startServedHost } from '../../support/served-host.ts';

const runs = runsHere('tokens of a Redis connection', NEEDS_REDIS);

it.runIf(runs)(
  '[P1] streams of a token on a remote store end when the token is revoked',
  async () => {
    const server = await startRedis();
    const host = await startServedHost();
    onTestFinished(async () => void (await host.stop()));
    const json = async (method: string, path: string, body?: object, token = host.token) => {
      const { status, text } = await fetchFrom(
        { ...host, token },
        method,
        path,
        body && JSON.stringify(body),
      );
      return { status, body: JSON.parse(text) };
    };
    const target = { kind: 'redis', uri: server.uri };
    const { body: added } = await json('POST', '/api/connections', { name: 'cache', target });
    const { body: made } = await json('POST', '/api/tokens', { name: 'watcher', permission: 'read' });
    const at = (path: string) => `${path}?${CONNECTION_PARAMETER}=${added.id}`;
    expect((await json('GET', at('/api/store'), undefined, made.token)).status).toBe(200);

    const stream = await fetch(`${host.origin}${at('/api/live')}`, {
      headers: { authorization: `Bearer ${made.token}` },
    });
    const reader = stream.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    const socket = new WebSocket(`${host.origin.replace('http', 'ws')}${at('/rpc')}`, [
      `sandglass.${made.token}`,
    ]);
    onTestFinished(() => socket.close());
    await new Promise(resolve => socket.addEventListener('open', resolve));
    const closed = new Promise(resolve => socket.addEventListener('close', resolve));

    const { status } = await fetchFrom(host, 'DELETE', '/api/tokens/watcher');
    expect(status).toBeLessThan(300);
    await closed;
    await expect(endOf(reader)).resolves.toBe('ended');
    expect((await json('GET', at('/api/store'), undefined, made.token)).status).toBe(401);
  },
  60_000,
);

/** Resolves when the stream has ended, normally or with an error. */
async function endOf(reader: ReadableStreamDefaultReader | undefined): Promise<'ended'> {
  try {
    while ((await reader?.read())?.done === false);
  } catch {
    // A stream that fails has ended as well.
  }
  return 'ended';
}
