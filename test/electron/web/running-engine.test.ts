import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createORPCClient, ORPCError } from '@orpc/client';
import { os, type RouterClient } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import { describe, expect, it } from 'vitest';
import type { EngineHost } from '../../../electron/engine/client.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { EngineSupervisor } from '../../../electron/host/engine-supervisor.ts';
import { runningEngine } from '../../../electron/web/engine/running-engine.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const router = {
  echo: os.handler(({ input }) => input),
  never: os.handler(() => new Promise<never>(() => {})),
};

/** An engine that answers two calls on real ports, and exits on `die`. */
function startedEngine(): EngineHost & { die(): void } {
  const { promise: exited, resolve: exit } = Promise.withResolvers<number>();
  const ports = new Set<MessagePort>();
  const end = (code: number) => {
    for (const port of ports) port.close();
    exit(code);
  };
  return {
    exited,
    attach(port) {
      ports.add(port);
      new RPCHandler(router).upgrade(port);
      port.start();
    },
    stop: async () => end(0),
    die: () => end(1),
  };
}

async function setUp() {
  const clock = createManualClock(0);
  const engines: ReturnType<typeof startedEngine>[] = [];
  const log: string[] = [];
  const refuse = { next: 0 };
  const supervisor = new EngineSupervisor(
    async () => {
      if (refuse.next-- > 0) throw new Error('no luck');
      const engine = startedEngine();
      engines.push(engine);
      return engine;
    },
    clock,
    createLogger('info', clock.now, line => void log.push(line)),
  );
  await supervisor.opened;
  const running = { ...runningEngine(supervisor), stop: () => supervisor[Symbol.asyncDispose]() };
  const client: RouterClient<typeof router> = createORPCClient(running.link);
  /** Waits until pending work is done, then advances the clock. */
  const advance = async (ms: number) => {
    await new Promise(resolve => setImmediate(resolve));
    clock.advance(ms);
    await new Promise(resolve => setImmediate(resolve));
  };
  return { running, client, engines, log, advance, refuse };
}

describe('a running engine', () => {
  it('answers calls', async () => {
    const { running, client } = await setUp();
    expect(await client.echo('hello')).toBe('hello');
    await running.stop();
  });

  it('is started again after it exits, and answers again', async () => {
    const { running, client, engines, log, advance } = await setUp();
    engines[0]?.die();
    await advance(100);
    expect(engines).toHaveLength(2);
    expect(await client.echo('again')).toBe('again');
    expect(log[0]).toContain('error the engine ended; starting it again code=1');
    await running.stop();
  });

  it('rejects calls during the restart, and those interrupted by the exit, with SERVICE_UNAVAILABLE', async () => {
    const { running, client, engines, advance } = await setUp();
    const cutOff = client.never().catch(error => error);
    await advance(0);
    engines[0]?.die();
    const away = { status: 503, code: 'SERVICE_UNAVAILABLE' };
    expect(await cutOff).toBeInstanceOf(ORPCError);
    expect(await cutOff).toMatchObject(away);
    await expect(client.echo('now')).rejects.toMatchObject(away);
    const { port1, port2 } = new MessageChannel();
    expect(running.attach(port1)).toBe(false);
    port2.close();
    await running.stop();
  });

  it('stays stopped after `stop`, also while it backs off', async () => {
    const { running, engines, advance } = await setUp();
    engines[0]?.die();
    await advance(0);
    await running.stop();
    await advance(60_000);
    expect(engines).toHaveLength(1);
  });
});
