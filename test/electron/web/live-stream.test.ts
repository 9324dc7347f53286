import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { createRest } from '../../../electron/web/rest/rest.ts';
import { merging } from '../../../electron/web/stream/merge-live-updates.ts';

const UPDATES = 4_000;
const turn = () => new Promise(resolve => setImmediate(resolve));

function update(n: number, change: object = {}) {
  return { revision: n, first: n === 1, collections: [], dropped: [], jobs: [], ...change };
}

async function all(updates: AsyncIterable<object>): Promise<object[]> {
  const taken: object[] = [];
  for await (const one of updates) taken.push(one);
  return taken;
}

it('updates that are not consumed yet are merged: the latest of each collection and job, and the dropped ones', async () => {
  const { promise: merged, resolve: received } = Promise.withResolvers<void>();
  const stream = merging(
    (async function* () {
      yield update(1, {
        collections: [{ name: 'a', documents: 1 }, { name: 'b' }],
        jobs: [{ id: 'j', done: 1 }],
      });
      yield update(2, { collections: [{ name: 'a', documents: 2 }], dropped: ['b'] });
      yield update(3, { collections: [{ name: 'c' }], dropped: ['a'], jobs: [{ id: 'j', done: 2 }] });
      yield update(4, { collections: [{ name: 'b', documents: 9 }] });
      received();
    })(),
  );
  const taken = all(
    (async function* () {
      const first = stream.next();
      await merged;
      const { value } = await first;
      if (value !== undefined) yield value;
      yield* stream;
    })(),
  );
  const [first, second, ...others] = await taken;
  expect(others).toEqual([]);
  const whole = second ?? first;
  expect(whole).toMatchObject({
    revision: 4,
    collections: expect.arrayContaining([{ name: 'b', documents: 9 }, { name: 'c' }]),
    dropped: ['a'],
    jobs: [{ id: 'j', done: 2 }],
  });
});

it('an error ends the stream after the updates before it', async () => {
  const stream = merging(
    (async function* () {
      yield update(1);
      throw new Error('the token was revoked');
    })(),
  );
  expect(await stream.next()).toMatchObject({ value: { revision: 1 } });
  await expect(stream.next()).rejects.toThrow('revoked');
});

it('[V2] a stalled reader of /api/live costs no memory, and receives the latest state when it continues', async () => {
  let sent = 0;
  const updates = async function* () {
    for (; sent < UPDATES; sent++) {
      yield update(sent + 1, { collections: [{ name: `c${sent % 10}`, text: 'x'.repeat(10_000) }] });
      await turn();
    }
  };
  const rest = createRest({
    admit: async () => ({
      engine: { linkOf: () => ({ call: async () => updates() }) },
      caller: { user: 'ada', permission: 'read', from: 'network' },
    }),
    version: '0',
    clock: systemClock,
    log: createLogger('silent', systemClock.now),
  });
  let answering: ServerResponse | undefined;
  const server = createServer((request, response) => {
    answering = response;
    void rest(new URL(`http://here${request.url}`), request, response);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, path: '/api/live', agent: false }, resolve).on('error', reject);
  });
  response.pause();
  let most = 0;
  while (sent < UPDATES) {
    most = Math.max(most, answering?.writableLength ?? 0);
    await turn();
  }
  // 40 MB of updates were produced meanwhile.
  expect(most).toBeLessThan(1_000_000);
  const received = await text(response);
  const revisions = [...received.matchAll(/"revision":(\d+)/g)].map(([, revision]) => Number(revision));
  expect(revisions.at(-1)).toBe(UPDATES);
  expect(revisions.length).toBeLessThan(UPDATES / 2);
});
