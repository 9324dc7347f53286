import { expect, it } from 'vitest';
import { ShownState } from '../../../../../electron/engine/backends/redis/follow/shown-state.ts';
import type { MirrorState } from '../../../../../shared/contract/capabilities.ts';
import { createManualClock } from '../../../../support/manual-clock.ts';

const LIVE = { is: 'live', scannedAt: 900 } as const;

function shown() {
  const clock = createManualClock(1_000);
  const states: MirrorState[] = [];
  const state = new ShownState({
    mirror: { setState: one => states.push(one) },
    serverClock: { now: () => clock.now() },
    clock,
    onState: () => {},
  });
  return { clock, states, state };
}

it('a server without a reply for three seconds is stale since the request, and as before after the reply', async () => {
  const { clock, states, state } = shown();
  state.set(LIVE);
  const { promise, resolve } = Promise.withResolvers<string>();
  const reply = state.whileAwaited(promise);
  clock.advance(2_999);
  await Promise.resolve();
  expect(states).toEqual([LIVE]);
  clock.advance(1);
  await expect.poll(() => states).toHaveLength(2);
  expect(states[1]).toEqual({ is: 'stale', since: 1_000, reason: 'the server does not reply' });
  resolve('PONG');
  expect(await reply).toBe('PONG');
  expect(states.slice(2)).toEqual([LIVE]);
});

it('a connection that is lost afterwards stays stale since the request, until the next scan', async () => {
  const { clock, states, state } = shown();
  state.set(LIVE);
  const { promise, reject } = Promise.withResolvers<string>();
  const reply = state.whileAwaited(promise);
  clock.advance(3_000);
  await expect.poll(() => states).toHaveLength(2);
  reject(new Error('lost'));
  await expect(reply).rejects.toThrow('lost');
  state.set({ is: 'stale', since: 31_000, reason: 'lost' });
  expect(states.at(-1)).toEqual({ is: 'stale', since: 1_000, reason: 'lost' });
  const scanning = { is: 'scanning', done: 0, total: null, since: 40_000, reason: 'lost' } as const;
  state.set(scanning);
  expect(states.at(-1)).toEqual(scanning);
});
