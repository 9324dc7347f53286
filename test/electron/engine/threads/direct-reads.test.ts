import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Caller } from '../../../../electron/engine/access/caller.ts';
import { DirectCalls } from '../../../../electron/engine/protocol/direct-calls.ts';
import type { Client } from '../../../../shared/contract/index.ts';
import { clientOn } from '../../../support/client.ts';
import { startTestThread } from '../../../support/thread.ts';

const LARGE = Array.from({ length: 6_000 }, (_, i) => ({ _id: `large ${i}`, text: 'x'.repeat(100) }));

/** Writes documents in one transaction, which takes a while, and reads one of others meanwhile. Returns which call was answered first. */
async function race(client: Client, read: () => Promise<unknown>): Promise<'read' | 'write'> {
  const write = client.documents
    .write({ params: { collection: 'c' }, query: { mode: 'upsert', atomic: true }, body: LARGE })
    .then(() => 'write' as const);
  const first = await Promise.race([write, read().then(() => 'read' as const)]);
  await write;
  return first;
}

describe('a read over a port', { timeout: 60_000 }, () => {
  it('[V1] of a document or of events is answered while the engine’s thread writes', async () => {
    const { client } = await startTestThread();
    await client.collections.create({ name: 'c' });
    await client.documents.put({ params: { collection: 'c', id: 'small' }, body: {} });
    // The reader thread answers as soon as it has loaded the code for it.
    await expect
      .poll(() => race(client, () => client.documents.get({ collection: 'c', id: 'small' })), {
        timeout: 20_000,
      })
      .toBe('read');
    expect(await race(client, () => client.events.read({ from: '1', limit: 10 }))).toBe('read');
    expect(await race(client, () => client.events.readFrames({ from: '1', limit: 10 }))).toBe('read');
  });

  it('[V2] has every write that was acknowledged before', async () => {
    const { client } = await startTestThread();
    await client.collections.create({ name: 'c' });
    for (let n = 0; n < 300; n += 1) {
      await client.documents.put({ params: { collection: 'c', id: 'one' }, body: { n } });
      const { document } = await client.documents.get({ collection: 'c', id: 'one' });
      expect(document).toEqual({ _id: 'one', n });
    }
    await client.documents.delete({ collection: 'c', id: 'one' });
    await expect(client.documents.get({ collection: 'c', id: 'one' })).rejects.toMatchObject({
      code: 'DOCUMENT_NOT_FOUND',
      data: { collection: 'c', _id: 'one' },
    });
  });

  it('[V3] of events waits for the next commit, and ends when it is cancelled', async () => {
    const { client } = await startTestThread();
    await client.collections.create({ name: 'c' });
    let { next } = await client.events.read({ from: '1' });
    for (let n = 0; n < 50; n += 1) {
      const waiting = client.events.read({ from: next, waitMs: 30_000 });
      await client.documents.put({ params: { collection: 'c', id: `${n}` }, body: {} });
      const page = await waiting;
      expect(page.events.map(({ event }) => ('_id' in event ? event._id : event.kind))).toEqual([
        `${n}`,
        'end',
      ]);
      next = page.next;
    }
    const cancel = new AbortController();
    const waiting = client.events.read({ from: next, waitMs: 30_000 }, { signal: cancel.signal });
    cancel.abort();
    await expect(waiting).rejects.toThrow('aborted');
    await expect(client.events.read({ collection: 'unknown', from: '1' })).rejects.toMatchObject({
      code: 'COLLECTION_NOT_FOUND',
    });
  });

  it('[P1] is refused as soon as the revocation of its token is acknowledged', async () => {
    const { client, host } = await startTestThread();
    await client.collections.create({ name: 'c' });
    await client.documents.put({ params: { collection: 'c', id: 'one' }, body: {} });
    for (let round = 0; round < 5; round += 1) {
      const name = `reader ${round}`;
      const { token } = await client.tokens.create({ name, permission: 'read' });
      const whose = await sha256Of(token);
      const caller: Caller = { user: 'bob', permission: 'read', token: whose, from: 'network' };
      const { port1: near, port2: far } = new MessageChannel();
      onTestFinished(() => near.close());
      host.attach(far, caller);
      const theirs = clientOn(near);
      const read = () => theirs.documents.get({ collection: 'c', id: 'one' });
      for (let n = 0; n < 50; n += 1) await read();
      const closed = once(near, 'close');
      await client.tokens.revoke({ name });
      let answers = 0;
      void read().then(
        () => {
          answers += 1;
        },
        () => {},
      );
      await closed;
      expect(answers).toBe(0);
    }
  });
});

async function sha256Of(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Buffer.from(digest).toString('hex');
}

describe('direct calls', () => {
  const GET = '{"i":"1","p":{"u":"/documents/get","b":{"json":{"collection":"c","id":"x"}}}}';

  function ends() {
    const { port1, port2 } = new MessageChannel();
    onTestFinished(() => port1.close());
    const got = { answered: [] as unknown[], declined: [] as string[], ended: 0 };
    const direct = new DirectCalls(port1, {
      answered: message => got.answered.push(message),
      declined: call => got.declined.push(call),
      ended: () => {
        got.ended += 1;
      },
    });
    const seen: unknown[] = [];
    port2.on('message', message => seen.push(message));
    return { direct, reader: port2, got, seen };
  }

  it('pass the reader thread once it is ready, and no other call does', async () => {
    const { direct, reader, got, seen } = ends();
    expect(direct.send(GET)).toBe(false);
    reader.postMessage({ reader: 'ready' });
    await expect.poll(() => direct.send(GET)).toBe(true);
    for (const other of [
      '{"i":"2","p":{"u":"/documents/put","b":{"json":{"text":"/documents/get"}}}}',
      '{"i":"3","p":{"u":"/documents/getAll","b":{}}}',
      '{"i":"4","p":{"u":"/events/readAll","b":{}}}',
      'garbage',
      new Uint8Array([1]),
      7,
    ])
      expect(direct.send(other)).toBe(false);
    // A cancellation follows its call.
    expect(direct.send('{"i":"9","t":4}')).toBe(false);
    expect(direct.send('{"i":"1","t":4}')).toBe(true);
    reader.postMessage('{"i":"1","p":{}}');
    await expect.poll(() => got.answered).toEqual(['{"i":"1","p":{}}']);
    expect(direct.send('{"i":"1","t":4}')).toBe(false);
    expect(seen).toEqual([GET, '{"i":"1","t":4}']);
  });

  it('that the reader declines are passed on, and calls that may be lost with it end the port', async () => {
    const { direct, reader, got } = ends();
    reader.postMessage({ reader: 'ready' });
    await expect.poll(() => direct.send(GET)).toBe(true);
    reader.postMessage({ reader: 'declined', call: GET });
    await expect.poll(() => got.declined).toEqual([GET]);
    expect(direct.send('{"i":"1","t":4}')).toBe(false);
    reader.close();
    await expect.poll(() => got.ended).toBe(1);
    expect(direct.send(GET)).toBe(false);
  });
});
