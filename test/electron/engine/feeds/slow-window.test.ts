import { MessageChannel } from 'node:worker_threads';
import { StandardRPCHandler } from '@orpc/server/standard';
import { createServerPeerHandleRequestFn } from '@orpc/server/standard-peer';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { router } from '../../../../electron/engine/api/router.ts';
import { answerCalls } from '../../../../electron/engine/protocol/call-port.ts';
import type { FlowMessage } from '../../../../electron/engine/protocol/stream-flow.ts';
import { openTestEngine, SECOND } from '../../../support/engine.ts';

const streamed = z.object({ p: z.object({ d: z.object({ json: z.object({ revision: z.number() }) }) }) });

it('[V2] updates of a paused window are merged: it receives one queued update, then the present state', async () => {
  const test = openTestEngine();
  const { engine, client, clock } = test;
  const { port1: window, port2: far } = new MessageChannel();
  onTestFinished(() => window.close());
  const context = { engine, caller: { user: 'ada', permission: 'read', from: 'network' } } as const;
  const handle = createServerPeerHandleRequestFn(new StandardRPCHandler(router, {}), { context });
  const failures: unknown[] = [];
  answerCalls(
    far,
    handle,
    () => {},
    error => failures.push(error),
  );
  const revisions: number[] = [];
  window.on('message', message => {
    const update = streamed.safeParse(JSON.parse(String(message)));
    if (update.success) revisions.push(update.data.p.d.json.revision);
  });
  window.postMessage('{"i":"1","p":{"u":"/live/watch"}}');
  await expect.poll(() => revisions.length).toBe(1);

  window.postMessage({ flow: 'pause' } satisfies FlowMessage);
  await client.collections.create({ name: 'c' });
  for (let n = 0; n < 50; n++) {
    await client.documents.write({ params: { collection: 'c' }, body: { n } });
    clock.advance(SECOND);
    await new Promise(resolve => setImmediate(resolve));
  }
  // The pause may arrive after the update of the new collection.
  expect(revisions.length).toBeLessThanOrEqual(2);

  window.postMessage({ flow: 'resume' } satisfies FlowMessage);
  await expect
    .poll(() => {
      clock.advance(SECOND);
      return revisions.at(-1);
    })
    .toBe(engine.backend.revision);
  expect(revisions.length).toBeLessThanOrEqual(5);
  expect(failures).toEqual([]);
});
