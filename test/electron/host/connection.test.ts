import { expect, it, vi } from 'vitest';
import { createManualClock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { HeldStore } from '../../../electron/host/connection.ts';

it('a door that cannot be closed is told in the log, and its store is closed and opened all the same', async () => {
  const clock = createManualClock(0);
  const complaints: string[] = [];
  const stopped: number[] = [];
  let started = 0;
  const store = new HeldStore({
    id: 'c-000000000001',
    file: '/nowhere',
    label: { name: 'x', colour: 1, environment: 'development', readOnly: false },
    isClosed: false,
    async start() {
      const engine = ++started;
      const { promise: exited, resolve } = Promise.withResolvers<number>();
      return {
        exited,
        attach() {},
        async stop() {
          stopped.push(engine);
          resolve(0);
        },
      };
    },
    doors: {
      place: () => '/door',
      async open() {
        return {
          async [Symbol.asyncDispose]() {
            throw new Error('the door is stuck');
          },
        };
      },
    },
    clock,
    log: createLogger('warn', clock.now, line => complaints.push(line)),
    onChange() {},
  });
  await store.open();
  store.reopen();
  await vi.waitFor(() => expect(store.record.state).toEqual({ is: 'open' }));
  await store.close();
  expect([started, stopped]).toEqual([2, [1, 2]]);
  expect(complaints).toMatchObject([
    expect.stringContaining('the door is stuck'),
    expect.stringContaining('the door is stuck'),
  ]);
});
