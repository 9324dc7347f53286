import { expect, it, vi } from 'vitest';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { HostConnection } from '../../../electron/host/connection.ts';
import { ConnectionSecrets } from '../../../electron/host/connection-secrets.ts';
import { createManualClock } from '../../support/manual-clock.ts';

it('an error at closing a local socket is logged, and its store can still be closed and opened', async () => {
  const clock = createManualClock(0);
  const warnings: string[] = [];
  const stopped: number[] = [];
  let started = 0;
  const connection = new HostConnection({
    id: 'c-000000000001',
    target: { kind: 'file', file: '/nowhere' },
    secrets: new ConnectionSecrets('served'),
    label: { name: 'x', colour: 1, environment: 'development', readOnly: false },
    isConfined: false,
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
    attachToOther: () => false,
    sockets: {
      newPath: () => '/socket',
      async listen() {
        return {
          async [Symbol.asyncDispose]() {
            throw new Error('the socket is stuck');
          },
        };
      },
    },
    clock,
    log: createLogger('warn', clock.now, line => warnings.push(line)),
    onChange() {},
  });
  await connection.open();
  connection.reopen();
  await vi.waitFor(() => expect(connection.record.state).toEqual({ is: 'open' }));
  await connection.close();
  expect([started, stopped]).toEqual([2, [1, 2]]);
  expect(warnings).toMatchObject([
    expect.stringContaining('the socket is stuck'),
    expect.stringContaining('the socket is stuck'),
  ]);
});
