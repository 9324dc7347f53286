import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fetchFrom, type ServedHost, startServedHost } from '../support/served-host.ts';

const SOON = { timeout: 20_000, interval: 50 };
/** Limit for each test, which starts several processes. */
const PATIENCE_MS = 60_000;

let leader: ServedHost;
const folder = mkdtempSync(join(tmpdir(), 'sandglass-follow-'));
const tokenFile = join(folder, 'leader-token');

beforeAll(async () => {
  leader = await startServedHost({ folder: join(folder, 'leader') });
  writeFileSync(tokenFile, `${leader.token}\n`);
  await fetchFrom(leader, 'POST', '/api/collections', '{"name": "visits"}', {
    'content-type': 'application/json',
  });
  await fetchFrom(
    leader,
    'POST',
    '/api/collections/visits/ttl-indexes',
    '{"name": "by date", "source": {"kind": "field", "field": "expires", "expireAfter": 0}}',
    { 'content-type': 'application/json' },
  );
});
afterAll(async () => {
  await leader.stop();
  rmSync(folder, { recursive: true, force: true });
});

const follow = (name: string, flags: readonly string[] = []) =>
  startServedHost({
    folder: join(folder, name),
    flags: ['--follow', leader.origin, '--follow-token-file', tokenFile, '--sync-timeout', '2', ...flags],
  });

async function read(
  host: ServedHost,
  path: string,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { status, text } = await fetchFrom(host, 'GET', path);
  return { status, body: JSON.parse(text) as Record<string, unknown> };
}

const idsOf = ({ body }: { body: Record<string, unknown> }) =>
  (body.documents as { _id: string }[]).map(({ _id }) => _id);

async function write(id: string, document: Record<string, unknown>): Promise<void> {
  const { status } = await fetchFrom(
    leader,
    'PUT',
    `/api/collections/visits/documents/${id}`,
    JSON.stringify(document),
    {
      'content-type': 'application/json',
    },
  );
  expect(status).toBe(200);
}

describe('a served host that follows another over a real socket', { timeout: PATIENCE_MS }, () => {
  it('[V5] mirrors the leader’s documents and expiries, names the leader, and refuses writes', async () => {
    await write('before', { n: 1 });
    const follower = await follow('first');
    try {
      await vi.waitFor(
        async () =>
          expect(idsOf(await read(follower, '/api/collections/visits/documents'))).toEqual(['before']),
        SOON,
      );
      await write('stays', { n: 12345678901234567890n.toString() });
      await write('leaves', { expires: new Date(Date.now() + 1_500).toISOString() });
      await vi.waitFor(
        async () =>
          expect(idsOf(await read(follower, '/api/collections/visits/documents'))).toEqual([
            'before',
            'leaves',
            'stays',
          ]),
        SOON,
      );
      await vi.waitFor(async () => {
        expect(idsOf(await read(follower, '/api/collections/visits/documents'))).toEqual(['before', 'stays']);
        const { body } = await read(follower, '/api/expired?collection=visits');
        expect(body.expired).toMatchObject([{ _id: 'leaves', index: 'by date' }]);
      }, SOON);
      const { body: info } = await read(follower, '/api/store');
      expect(info).toMatchObject({
        role: 'follower',
        leader: { url: `${leader.origin}/`, staleSince: null, behind: 0 },
      });
      const refused = await fetchFrom(follower, 'POST', '/api/collections', '{"name": "own"}', {
        'content-type': 'application/json',
      });
      expect(refused.status).toBe(403);
      expect(JSON.parse(refused.text)).toMatchObject({
        code: 'READ_ONLY',
        data: { leader: `${leader.origin}/` },
      });
    } finally {
      expect(await follower.stop()).toBe(0);
    }
  });

  it('[V5] continues after a restart, and ends its watches when the leader stops responding', async () => {
    await write('while away', { n: 3 });
    const follower = await follow('first');
    try {
      await vi.waitFor(
        async () =>
          expect(idsOf(await read(follower, '/api/collections/visits/documents'))).toContain('while away'),
        SOON,
      );
      const watch = await fetch(`${follower.origin}/api/events`, {
        headers: { authorization: `Bearer ${follower.token}` },
      });
      const streamed = watch.text();
      await write('watched', { n: 4 });
      await vi.waitFor(
        async () =>
          expect(idsOf(await read(follower, '/api/collections/visits/documents'))).toContain('watched'),
        SOON,
      );
      // The process exists but no longer responds.
      leader.process.kill('SIGSTOP');
      try {
        expect(await streamed).toMatch(/"_id":"watched"[\s\S]*STALE/);
        const { status, body } = await read(follower, '/api/collections/visits/documents');
        expect(status).toBe(503);
        expect(body).toMatchObject({ code: 'STALE' });
        expect((await read(follower, '/api/store')).body).toMatchObject({
          leader: { staleSince: expect.any(Number) },
        });
      } finally {
        leader.process.kill('SIGCONT');
      }
      await vi.waitFor(
        async () => expect((await read(follower, '/api/collections/visits/documents')).status).toBe(200),
        SOON,
      );
    } finally {
      expect(await follower.stop()).toBe(0);
    }
  });

  it('reports that the leader refuses its token, and does not start to serve', async () => {
    const wrong = join(folder, 'wrong-token');
    writeFileSync(wrong, 'a-token-that-nobody-made\n');
    const follower = await follow('second', ['--follow-token-file', wrong]);
    try {
      await vi.waitFor(() => expect(follower.output()).toContain('refuses this token'), SOON);
      expect((await read(follower, '/api/collections')).status).toBe(503);
    } finally {
      await follower.stop();
    }
  });

  it('refuses to open a mirror without its leader, and to mirror into a store that is not empty', async () => {
    await expect(startServedHost({ folder: join(folder, 'first') })).rejects.toThrow(
      new RegExp(`mirrors the store at ${leader.origin}/\\. Start it with --follow ${leader.origin}/`),
    );
    const own = await startServedHost({ folder: join(folder, 'own') });
    await fetchFrom(own, 'POST', '/api/collections', '{"name": "mine"}', {
      'content-type': 'application/json',
    });
    await own.stop();
    await expect(follow('own')).rejects.toThrow(/has documents of its own/);
  });
});
