import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { EngineHost } from '../../../electron/engine/client.ts';
import { createManualClock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { EngineKeeper } from '../../../electron/host/engine-supervisor.ts';

/** An engine that ends when it is told to. */
class Engine implements EngineHost {
  readonly ports: MessagePort[] = [];
  stopped = false;
  readonly #ending = Promise.withResolvers<number>();
  readonly exited = this.#ending.promise;
  attach(port: MessagePort): void {
    this.ports.push(port);
  }
  die(): void {
    this.#ending.resolve(1);
  }
  async stop(): Promise<void> {
    this.stopped = true;
    this.#ending.resolve(0);
  }
}

const settle = () => new Promise<void>(resolve => setImmediate(resolve));
const aPort = () => new MessageChannel().port1;

function keeping(open?: () => Promise<Engine>) {
  const clock = createManualClock(0);
  const engines: Engine[] = [];
  const begin =
    open ??
    (async () => {
      const engine = new Engine();
      engines.push(engine);
      return engine;
    });
  const keeper = new EngineKeeper(begin, clock, createLogger('silent', clock.now));
  return { clock, engines, keeper };
}

describe('the engine is kept running', () => {
  it('is started again after it died, later each time it keeps dying', async () => {
    const { clock, engines, keeper } = keeping();
    await keeper.opened;
    for (const [times, wait] of [100, 500, 2_000, 5_000, 15_000, 15_000].entries()) {
      engines[times]?.die();
      await settle();
      clock.advance(wait - 1);
      await settle();
      expect(engines).toHaveLength(times + 1);
      clock.advance(1);
      await settle();
      expect(engines).toHaveLength(times + 2);
    }
    await keeper[Symbol.asyncDispose]();
  });

  it('begins with the shortest wait again once one has lived for a while', async () => {
    const { clock, engines, keeper } = keeping();
    await keeper.opened;
    engines[0]?.die();
    await settle();
    clock.advance(100);
    await settle();
    clock.advance(60_001);
    engines[1]?.die();
    await settle();
    clock.advance(100);
    await settle();
    expect(engines).toHaveLength(3);
    await keeper[Symbol.asyncDispose]();
  });

  it('hands ports that came while there was none to the next one, but not those that went away', async () => {
    const { clock, engines, keeper } = keeping();
    const early = aPort();
    keeper.attach(early);
    await keeper.opened;
    await settle();
    expect(engines[0]?.ports).toEqual([early]);
    engines[0]?.die();
    await settle();
    const [stays, goes] = [aPort(), aPort()];
    keeper.attach(stays);
    keeper.attach(goes);
    goes.close();
    await settle();
    clock.advance(100);
    await settle();
    expect(engines[1]?.ports).toEqual([stays]);
    await keeper[Symbol.asyncDispose]();
  });

  it('says why the store could not be opened the first time', async () => {
    const { keeper } = keeping(() => Promise.reject(new Error('in use')));
    await expect(keeper.opened).rejects.toThrow('in use');
    await keeper[Symbol.asyncDispose]();
  });

  it('is stopped for good, also while it is opening', async () => {
    const opening = Promise.withResolvers<Engine>();
    const { clock, keeper } = keeping(() => opening.promise);
    const waiting = aPort();
    const closed = new Promise<void>(resolve => waiting.once('close', () => resolve()));
    keeper.attach(waiting);
    const stopped = keeper[Symbol.asyncDispose]();
    const engine = new Engine();
    opening.resolve(engine);
    await stopped;
    await closed;
    expect(engine.stopped).toBe(true);
    clock.advance(100_000);
    await settle();
    const late = aPort();
    const refused = new Promise<void>(resolve => late.once('close', () => resolve()));
    keeper.attach(late);
    await refused;
  });
});
