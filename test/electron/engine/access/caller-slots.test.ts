import { expect, it } from 'vitest';
import type { Caller } from '../../../../electron/engine/access/caller.ts';
import { CallerSlots } from '../../../../electron/engine/access/caller-slots.ts';

const turn = () => new Promise(resolve => setImmediate(resolve));
const caller = (token?: string): Caller => ({
  user: 'ada',
  permission: 'read',
  from: 'network',
  ...(token === undefined ? {} : { token }),
});

it('each token has slots of its own; the launch token and the person at the machine need none', async () => {
  const slots = new CallerSlots({ most: 1, mostWaiting: 1, what: 'previews' });
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
