import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEEDS_POSIX, runsHere } from '../support/runs-here.ts';
import { fetchFrom, type ServedHost, startServedHost } from '../support/served-host.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandglass-serve-'));
const tokenFile = join(folder, 'token');
let host: ServedHost;

beforeAll(async () => {
  host = await startServedHost({ folder, flags: ['--token-file', tokenFile] });
});
afterAll(() => host.stop());

describe('the served host', () => {
  it('prints one line with its address, and the token of a new token file, readable by its owner only', () => {
    expect(host.link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
    expect(readFileSync(tokenFile, 'utf8').trim()).toBe(host.token);
    if (process.platform !== 'win32') expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
    expect(host.output().trim().split('\n')).toHaveLength(1);
  });

  it('prints the token of a token file only when it creates it, and otherwise the file', {
    timeout: 60_000,
  }, async () => {
    const own = mkdtempSync(join(tmpdir(), 'sandglass-serve-'));
    const flags = ['--token-file', join(own, 'token')];
    const first = await startServedHost({ folder: own, flags });
    expect(first.output()).toContain(first.token);
    await first.stop();
    const second = await startServedHost({ folder: own, flags });
    expect(second.token).toBe(first.token);
    // The lines may arrive one after the other.
    await expect.poll(() => second.output()).toContain(`Its token is in ${join(own, 'token')}.`);
    expect(second.output()).not.toContain(first.token);
    expect((await fetchFrom(second, 'GET', '/api/store')).status).toBe(200);
    await second.stop();
  });

  it('accepts a browser’s socket, and closes one without the token with 4401', async () => {
    const closed = (protocols: string[]) =>
      new Promise<number>(resolve => {
        const socket = new WebSocket(`${host.origin.replace('http', 'ws')}/rpc`, protocols);
        socket.addEventListener('message', () => socket.close(1000));
        socket.addEventListener('open', () => socket.send('{"i":"1","p":{"u":"/store/info"}}'));
        socket.addEventListener('close', event => resolve(event.code));
      });
    expect(await closed([`sandglass.${host.token}`])).toBe(1000);
    expect(await closed(['sandglass.wrong'])).toBe(4401);
    expect(await closed([])).toBe(4401);
  });

  it('names a store that another Sandglass has open, and ends with code 1', async () => {
    await expect(startServedHost({ folder })).rejects.toThrow(
      new RegExp(
        `ended with code 1:\n[^\n]*test\\.sandglass is open in another Sandglass \\(process ${host.process.pid}, at ${host.origin}/\\)\\. Use that one, or close it first\\.\\s*$`,
      ),
    );
  });

  it('ends with code 1 and a message where the port is in use', async () => {
    const { port } = new URL(host.origin);
    const other = startServedHost({ flags: ['--port', port] });
    await expect(other).rejects.toThrow(/ended with code 1:\nlisten EADDRINUSE[^\n]*\n$/);
  });

  it('warns if other machines can reach it', async () => {
    const open = await startServedHost({ flags: ['--host', '0.0.0.0', '--insecure'] });
    expect(open.output()).toContain('Warning: other machines can reach this address');
    expect(open.link).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(await open.stop()).toBe(0);
  });
});

describe.runIf(runsHere('a host that receives a signal', NEEDS_POSIX))(
  'a host that receives a signal',
  () => {
    it.each(['SIGTERM', 'SIGINT'] as const)('on %s closes its store and ends with code 0', async signal => {
      const own = mkdtempSync(join(tmpdir(), 'sandglass-stop-'));
      const first = await startServedHost({ folder: own });
      await fetchFrom(first, 'POST', '/api/collections', '{"name": "kept"}');
      // An open stream and an open socket must not delay it.
      const live = fetch(`${first.origin}/api/live`, { headers: { authorization: `Bearer ${first.token}` } });
      await live;
      const socket = new WebSocket(`${first.origin.replace('http', 'ws')}/rpc`, [`sandglass.${first.token}`]);
      await new Promise(resolve => socket.addEventListener('open', resolve));
      const closed = new Promise<number>(resolve =>
        socket.addEventListener('close', event => resolve(event.code)),
      );
      expect(await first.stop(signal)).toBe(0);
      expect(await closed).toBe(1001);

      const second = await startServedHost({ folder: own });
      expect((await fetchFrom(second, 'GET', '/api/collections/kept')).status).toBe(200);
      expect(await second.stop()).toBe(0);
    });
  },
);
