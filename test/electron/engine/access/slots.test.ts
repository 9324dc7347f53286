import { expect, it } from 'vitest';
import { Slots } from '../../../../electron/engine/access/concurrency-limit.ts';

const turn = () => new Promise(resolve => setImmediate(resolve));

it('slots are assigned in order, one per released slot, and refused with BUSY beyond the queue', async () => {
  const slots = new Slots({ most: 2, mostWaiting: 2, what: 'backups' });
  const first = await slots.take();
  const second = await slots.take();
  const calls: string[] = [];
  const third = slots.take().then(giveBack => {
    calls.push('third');
    return giveBack;
  });
  const fourth = slots.take().then(giveBack => {
    calls.push('fourth');
    return giveBack;
  });
  expect(() => slots.take()).toThrow(
    expect.objectContaining({ code: 'BUSY', message: expect.stringContaining('backups') }),
  );
  await turn();
  expect(calls).toEqual([]);
  first();
  first();
  await turn();
  expect(calls).toEqual(['third']);
  second();
  (await third)();
  (await fourth)();
  await slots.take();
  await slots.take();
});

it('a cancelled request leaves the queue', async () => {
  const slots = new Slots({ most: 1, mostWaiting: 1, what: 'backups' });
  const giveBack = await slots.take();
  const gone = new AbortController();
  const waiting = slots.take(gone.signal);
  gone.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  const next = slots.take();
  giveBack();
  (await next)();
});
