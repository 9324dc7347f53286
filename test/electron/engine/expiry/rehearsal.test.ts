import { expect, it } from 'vitest';
import { on, write } from '../../../support/documents.ts';
import { HOUR, NOON, openTestEngine } from '../../../support/engine.ts';

const DOCUMENTS = 40;
const DUE_AT = NOON + HOUR;

async function storeWithDocuments() {
  const test = openTestEngine({ intervalFrom: 10 });
  const { client } = test;
  await client.collections.create({ name: 'c' });
  await client.ttlIndexes.create({ collection: 'c', name: 'exp', source: on('exp') });
  const documents = Array.from({ length: DOCUMENTS }, (_, i) => ({ _id: `d${i}`, exp: DUE_AT + (i % 7) }));
  await write(client, 'c', documents);
  await test.settle();
  return test;
}

it('[V1, V2, R1] a rehearsal of a removal changes nothing that can be read, and the removal is as without one', async () => {
  const { engine, client, clock, settle } = await storeWithDocuments();
  const read = async () => {
    const { events } = await client.events.read({ collection: 'c', from: '1', limit: 1_000 });
    const [summary] = await engine.backend.reads.summaries(['c'], clock.now());
    const timeline = await client.timeline.get({
      collection: 'c',
      from: NOON,
      to: NOON + 2 * HOUR,
      buckets: 4,
    });
    const { expired } = await client.metrics.expired({ collection: 'c', limit: 100 });
    return { events, summary, buckets: timeline.buckets, expired, revision: engine.backend.revision };
  };
  const before = await read();
  // The reaper wakes at least every half minute, and rehearses when nothing is due and nothing to sweep.
  clock.advance(31_000);
  await settle();
  expect(engine.backend.expiry.prepareNext(() => {})).toBe(false);
  expect(engine.backend.unswept()).toBe(0);
  const after = await read();
  expect({ ...after, summary: null }).toEqual({ ...before, summary: null });
  expect(after.summary).toEqual(before.summary);

  clock.set(DUE_AT + 10);
  clock.advance(31_000);
  await settle();
  const { events, summary, expired } = await read();
  expect(summary).toMatchObject({ documents: 0, overdue: 0, bytes: 0 });
  expect(expired).toHaveLength(DOCUMENTS);
  const last = events.filter(({ event }) => event.kind === 'expire');
  expect(last).toHaveLength(DOCUMENTS);
  expect(last[0]?.event).toMatchObject({ position: 0, revision: before.revision + 1 });
});
