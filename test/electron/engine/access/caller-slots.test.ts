import { expect, it } from 'vitest';
import type { Caller } from '../../../../electron/engine/access/caller.ts';
import { CallerSlots } from '../../../../electron/engine/access/caller-concurrency-limit.ts';

const turn = () => new Promise(resolve => setImmediate(resolve));
const caller = (token?: string): Caller => ({
  user: 'ada',
  permission: 'read',
  from: 'network',
  ...(token === undefined ? {} : { token }),
});

it('each token has slots of its own; the launch token and local callers need none', async () => {
  const slots = new CallerSlots({ most: 1, mostOfAllTokens: 9, mostWaiting: 1, what: 'previews' });
  const started: string[] = [];
  const { promise: end, resolve: endAll } = Promise.withResolvers<void>();
  const run = (name: string, token?: string, signal?: AbortSignal) =>
    slots.run(caller(token), signal, async () => {
      started.push(name);
      await end;
    });
  const gone = new AbortController();
  const first = run('a1', 'a');
  const second = run('a2', 'a', gone.signal);
  const refused = run('a3', 'a');
  const others = [run('b1', 'b'), run('free1'), run('free2')];
  await expect(refused).rejects.toMatchObject({ code: 'BUSY' });
  await turn();
  expect(started.toSorted()).toEqual(['a1', 'free1', 'free2', 'b1'].sort());
  gone.abort();
  await expect(second).rejects.toMatchObject({ code: 'CANCELLED' });
  endAll();
  await Promise.all([first, ...others]);
  await run('a4', 'a');
  expect(started).toContain('a4');
});

it('tokens take turns, and all together leave the last slot to callers without a token', async () => {
  const slots = new CallerSlots({ most: 1, mostOfAllTokens: 2, mostWaiting: 9, what: 'previews' });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, token?: string, signal?: AbortSignal) =>
    slots.run(caller(token), signal, async () => {
      started.push(name);
      await new Promise<void>(resolve => ends.set(name, resolve));
    });
  const gone = new AbortController();
  const running = [run('a1', 'a'), run('a2', 'a'), run('b1', 'b'), run('c1', 'c')];
  const cancelled = run('d1', 'd', gone.signal);
  await turn();
  expect(started).toEqual(['a1', 'b1']);
  running.push(run('free'));
  await turn();
  expect(started).toEqual(['a1', 'b1', 'free']);
  gone.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
  // The second call of one token is queued behind the first call of another.
  ends.get('a1')?.();
  await turn();
  expect(started).toEqual(['a1', 'b1', 'free', 'c1']);
  for (const name of ['b1', 'c1', 'free', 'a2']) {
    ends.get(name)?.();
    await turn();
  }
  await Promise.all(running);
  expect(started).toEqual(['a1', 'b1', 'free', 'c1', 'a2']);
});
