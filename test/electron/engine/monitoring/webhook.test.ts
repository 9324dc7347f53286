import { createHmac } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { on, refusal, write } from '../../../support/documents.ts';
import { HOUR, NOON, openTestEngine, SECOND } from '../../../support/engine.ts';
import { runsHere } from '../../../support/runs-here.ts';
import { NO_SMALL_DISK, smallDisk } from '../../../support/small-disk.ts';

const MIB = 1024 * 1024;
const PATIENT = { timeout: 10_000 };
const SECRET = 'a secret of enough letters';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  news: { event: string; alert: { kind: string; collection: string | null } | null };
}

/** A real server on loopback that answers with `status()`. */
async function listen(status: () => number, headers: Record<string, string> = {}) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body, news: JSON.parse(body) });
      response.writeHead(status(), headers).end('not read');
    });
  });
  return { url: await addressOf(server), received };
}

/** A real server on loopback that accepts requests and answers none. */
async function listenInSilence() {
  let requests = 0;
  const server = createServer(() => {
    requests += 1;
  });
  return { url: await addressOf(server), requests: () => requests };
}

async function addressOf(server: Server): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}/hook`;
}

const summaryOf = (received: readonly Received[]) =>
  received.map(({ news: { event, alert } }) => [event, alert?.kind, alert?.collection]);

function isSigned({ headers, body }: Received): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['sandglass-signature'])) ?? [];
  return v1 === createHmac('sha256', SECRET).update(`${t}.${body}`).digest('hex');
}

describe('a webhook', () => {
  it('receives each state once as it begins and once as it ends, signed', async () => {
    const { url, received } = await listen(() => 204);
    const test = openTestEngine();
    const { client } = test;
    expect(await client.alerts.webhook()).toMatchObject({ url: null });
    await client.alerts.setWebhook({ url, secret: SECRET });
    await client.collections.create({ name: 'c' });
    await client.ttlIndexes.create({ collection: 'c', name: 'at', source: on('at') });
    await test.settle();
    test.engine.backend.holds.place({ collection: 'c', cause: 'import', by: 'ada' });
    await write(client, 'c', [{ at: NOON - HOUR }]);
    await test.advance(25 * SECOND);
    await expect.poll(() => summaryOf(received)).toEqual([['began', 'held', 'c']]);
    expect(await client.alerts.list()).toMatchObject([{ kind: 'held', collection: 'c' }]);
    await client.reaper.confirm({ collection: 'c' });
    await test.advance(25 * SECOND);
    await expect
      .poll(() => summaryOf(received))
      .toEqual([
        ['began', 'held', 'c'],
        ['ended', 'held', 'c'],
      ]);
    expect(received.every(isSigned)).toBe(true);
    expect(new Set(received.map(({ headers }) => headers['sandglass-delivery'])).size).toBe(2);
    expect(test.complaints).toEqual([]);
  });

  it('receives nothing twice after a restart, and receives ends that happened while the store was closed or were not delivered', async () => {
    let status = 200;
    const { url, received } = await listen(() => status);
    let test = openTestEngine();
    await test.client.alerts.setWebhook({ url, secret: SECRET });
    for (const name of ['a', 'b']) await test.client.collections.create({ name });
    test.engine.backend.holds.place({ collection: 'a', cause: 'import', by: 'ada' });
    await test.advance(15 * SECOND);
    await expect.poll(() => summaryOf(received), PATIENT).toEqual([['began', 'held', 'a']]);
    status = 500;
    test.engine.backend.holds.place({ collection: 'b', cause: 'import', by: 'ada' });
    await test.advance(15 * SECOND);
    await expect.poll(() => received.length, PATIENT).toBeGreaterThan(1);
    test = await test.reopen(SECOND);
    status = 200;
    received.length = 0;
    await test.advance(35 * SECOND);
    await expect.poll(() => summaryOf(received), PATIENT).toEqual([['began', 'held', 'b']]);

    // Confirmed just before the stop: the end is reported after the restart.
    await test.client.reaper.confirm({ collection: 'a' });
    test = await test.reopen(SECOND);
    received.length = 0;
    await test.advance(35 * SECOND);
    await expect.poll(() => summaryOf(received), PATIENT).toEqual([['ended', 'held', 'a']]);
    // No message was delivered to the new address yet.
    const other = await listen(() => 200);
    await test.client.alerts.setWebhook({ url: other.url, secret: SECRET });
    test = await test.reopen(SECOND);
    await test.advance(15 * SECOND);
    await expect.poll(() => summaryOf(other.received), PATIENT).toEqual([['began', 'held', 'b']]);
    expect(received).toHaveLength(1);
  });

  it('reports quarantined documents', async () => {
    const { url, received } = await listen(() => 200);
    const test = openTestEngine();
    const { client } = test;
    await client.alerts.setWebhook({ url, secret: SECRET });
    await client.collections.create({ name: 'c' });
    const onExpire = { action: 'patch', patch: { seen: true } } as const;
    await client.ttlIndexes.create({ collection: 'c', name: 'at', source: on('at'), onExpire });
    await test.settle();
    await write(client, 'c', [{ _id: 'stays due', at: NOON - HOUR }]);
    await test.advance(15 * SECOND);
    await expect.poll(() => summaryOf(received)).toEqual([['began', 'quarantined', 'c']]);
    await client.documents.delete({ collection: 'c', id: 'stays due' });
    await test.advance(15 * SECOND);
    await expect.poll(() => summaryOf(received).at(-1)).toEqual(['ended', 'quarantined', 'c']);
  });

  it('reports once that documents are overdue by more than a minute, and once that they no longer are', async () => {
    const { url, received } = await listen(() => 200);
    const test = openTestEngine();
    const { client } = test;
    await client.alerts.setWebhook({ url, secret: SECRET });
    await client.collections.create({ name: 'c' });
    const limits = { removalsPerSecond: 1 };
    await client.ttlIndexes.create({ collection: 'c', name: 'at', source: on('at'), limits });
    await test.settle();
    // One document is removed each second; the others are late.
    await write(
      client,
      'c',
      Array.from({ length: 200 }, () => ({ at: NOON + SECOND })),
    );
    await test.advance(55 * SECOND);
    expect(await client.alerts.list()).toEqual([]);
    await test.advance(60 * SECOND);
    await expect.poll(() => summaryOf(received)).toEqual([['began', 'overdue', 'c']]);
    expect(await client.alerts.list()).toMatchObject([
      {
        id: 'overdue/c',
        kind: 'overdue',
        since: NOON + SECOND,
        message: expect.stringContaining('documents of c are overdue'),
      },
    ]);
    await client.ttlIndexes.update({ collection: 'c', index: 'at', limits: { removalsPerSecond: null } });
    await test.advance(60 * SECOND);
    await expect
      .poll(() => summaryOf(received))
      .toEqual([
        ['began', 'overdue', 'c'],
        ['ended', 'overdue', 'c'],
      ]);
    await test.advance(60 * SECOND);
    expect(received).toHaveLength(2);
  });

  it.runIf(runsHere('a webhook on a full disk', NO_SMALL_DISK))(
    'reports once that the disk is full, and once that it no longer is',
    async () => {
      const { url, received } = await listen(() => 200);
      const disk = smallDisk(6 * MIB);
      const test = openTestEngine({ file: join(disk.folder, 's.sandglass'), reserveBytes: 2 * MIB });
      const { client, clock } = test;
      await client.alerts.setWebhook({ url, secret: SECRET });
      await client.collections.create({ name: 'c' });
      disk.fill();
      const text = 'x'.repeat(100_000);
      await expect
        .poll(async () => {
          const body = Array.from({ length: 10 }, () => ({ text }));
          const answer = client.documents.write({ params: { collection: 'c' }, body });
          return answer.then(
            () => 'written',
            (error: { code: string }) => error.code,
          );
        })
        .toBe('DISK_FULL');
      await test.advance(25 * SECOND);
      await expect.poll(() => summaryOf(received)).toEqual([['began', 'disk full', null]]);
      expect(await client.alerts.list()).toMatchObject([{ kind: 'disk full', collection: null }]);
      disk.empty();
      await expect
        .poll(async () => {
          clock.advance(SECOND);
          return (await client.store.info()).diskFull;
        })
        .toBeNull();
      await test.advance(25 * SECOND);
      await expect
        .poll(() => summaryOf(received))
        .toEqual([
          ['began', 'disk full', null],
          ['ended', 'disk full', null],
        ]);
    },
  );

  it('does not delay calls, ticks or the end of the engine while a delivery has no answer', async () => {
    const { url, requests } = await listenInSilence();
    const test = openTestEngine();
    const { client } = test;
    await client.alerts.setWebhook({ url, secret: SECRET });
    await client.collections.create({ name: 'c' });
    await client.ttlIndexes.create({ collection: 'c', name: 'at', source: on('at') });
    await test.settle();
    test.engine.backend.holds.place({ collection: 'c', cause: 'import', by: 'ada' });
    test.clock.advance(10 * SECOND);
    await expect.poll(() => requests()).toBe(1);
    // The time limit of the delivery is on the engine's clock, which stands still here: the delivery never ends.
    const began = performance.now();
    for (let i = 0; i < 50; i++) {
      await write(client, 'c', [{ _id: String(i), at: NOON - HOUR }]);
      expect(await client.alerts.list()).toHaveLength(1);
    }
    expect((await client.collections.get({ collection: 'c' })).documents).toBe(50);
    await client.reaper.confirm({ collection: 'c' });
    await test.settle();
    expect((await client.collections.get({ collection: 'c' })).documents).toBe(0);
    expect(await client.alerts.webhook()).toMatchObject({ waiting: 1, last: null });
    await test.stop();
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(requests()).toBe(1);
  });

  it('ends a delivery without an answer after 10 seconds, and retries it', async () => {
    const { url, requests } = await listenInSilence();
    const test = openTestEngine();
    await test.client.alerts.setWebhook({ url, secret: SECRET });
    test.engine.webhook.send({ event: 'test', at: NOON, store: 's', alert: null });
    await expect.poll(() => requests()).toBe(1);
    test.clock.advance(10 * SECOND);
    await expect.poll(async () => (await test.client.alerts.webhook()).last?.problem).toContain('10 seconds');
    test.clock.advance(SECOND);
    await expect.poll(() => requests()).toBe(2);
  });

  it('is sent again after status 500, with increasing delays, while calls are answered', async () => {
    let status = 500;
    const { url, received } = await listen(() => status);
    const test = openTestEngine();
    await test.client.alerts.setWebhook({ url, secret: SECRET });
    test.engine.webhook.send({ event: 'test', at: NOON, store: 's', alert: null });
    await expect.poll(async () => (await test.client.alerts.webhook()).last?.problem).toContain('500');
    expect(await test.client.alerts.webhook()).toMatchObject({ waiting: 1 });
    test.clock.advance(999);
    expect(received).toHaveLength(1);
    test.clock.advance(1);
    await expect.poll(() => received.length).toBe(2);
    status = 200;
    await expect
      .poll(async () => {
        test.clock.advance(2 * SECOND);
        return (await test.client.alerts.webhook()).waiting;
      })
      .toBe(0);
    expect(new Set(received.map(({ headers }) => headers['sandglass-delivery'])).size).toBe(1);
    expect(received.every(isSigned)).toBe(true);
  });

  it('keeps a bounded number of messages for an address that accepts none', async () => {
    const { url } = await listen(() => 500);
    const test = openTestEngine();
    await test.client.alerts.setWebhook({ url, secret: SECRET });
    for (let i = 0; i < 1_000; i++)
      test.engine.webhook.send({ event: 'test', at: i, store: 's', alert: null });
    expect((await test.client.alerts.webhook()).waiting).toBeLessThanOrEqual(100);
  });

  it('follows no redirect, and returns the answer to a test', async () => {
    const target = await listen(() => 200);
    const { url } = await listen(() => 302, { location: target.url });
    const test = openTestEngine();
    await test.client.alerts.setWebhook({ url, secret: SECRET });
    expect(await test.client.alerts.testWebhook()).toEqual({ problem: 'The address answered 302.' });
    expect(target.received).toEqual([]);
  });

  it('is sent to https or to this machine only, and its secret is never returned', async () => {
    const test = openTestEngine();
    const { alerts } = test.client;
    for (const url of [
      'http://example.com/',
      'ftp://127.0.0.1/',
      'nonsense',
      'https://user:word@example.com/',
    ])
      expect(await refusal(alerts.setWebhook({ url, secret: SECRET }))).toMatchObject({
        code: 'INVALID_SETTING',
      });
    const url = 'https://example.com/hook';
    expect(await refusal(alerts.setWebhook({ url }))).toMatchObject({ code: 'INVALID_SETTING' });
    expect(JSON.stringify(await alerts.setWebhook({ url, secret: SECRET }))).not.toContain(SECRET);
    // The secret is not sent to another address.
    expect(await refusal(alerts.setWebhook({ url: 'https://evil.example/' }))).toMatchObject({
      code: 'INVALID_SETTING',
    });
    const file = `${test.file}-webhook`;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain(SECRET);
    const again = await test.reopen();
    expect(await again.client.alerts.webhook()).toMatchObject({ url, insecure: false });
    await again.client.alerts.removeWebhook();
    expect(existsSync(file)).toBe(false);
    const reader = openTestEngine({ permission: 'write' });
    expect(await refusal(reader.client.alerts.webhook())).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await refusal(reader.client.alerts.setWebhook({ url, secret: SECRET }))).toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });
});
