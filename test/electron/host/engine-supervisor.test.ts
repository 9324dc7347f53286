import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { EngineHost } from '../../../electron/engine/client.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { EngineSupervisor } from '../../../electron/host/engine-supervisor.ts';
import { createManualClock } from '../../support/manual-clock.ts';

/** An engine whose thread ends on `die` or `stop`. */
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

function supervised(open?: () => Promise<Engine>) {
  const clock = createManualClock(0);
  const engines: Engine[] = [];
  const begin =
    open ??
    (async () => {
      const engine = new Engine();
      engines.push(engine);
      return engine;
    });
  const supervisor = new EngineSupervisor(begin, clock, createLogger('silent', clock.now));
  return { clock, engines, supervisor };
}

describe('a supervised engine', () => {
  it('is started again after it exits, with a longer delay each time', async () => {
    const { clock, engines, supervisor } = supervised();
    await supervisor.opened;
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
    await supervisor[Symbol.asyncDispose]();
  });

  it('is started again after the shortest delay where it ran for more than a minute', async () => {
    const { clock, engines, supervisor } = supervised();
    await supervisor.opened;
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
    await supervisor[Symbol.asyncDispose]();
  });

  it('receives the ports that were attached before its start and are still open', async () => {
    const { clock, engines, supervisor } = supervised();
    const early = aPort();
    supervisor.attach(early);
    await supervisor.opened;
    await settle();
    expect(engines[0]?.ports).toEqual([early]);
    engines[0]?.die();
    await settle();
    const [stays, goes] = [aPort(), aPort()];
    supervisor.attach(stays);
    supervisor.attach(goes);
    goes.close();
    await settle();
    clock.advance(100);
    await settle();
    expect(engines[1]?.ports).toEqual([stays]);
    await supervisor[Symbol.asyncDispose]();
  });

  it('rejects `opened` with the reason why the first start failed', async () => {
    const { supervisor } = supervised(() => Promise.reject(new Error('in use')));
    await expect(supervisor.opened).rejects.toThrow('in use');
    await supervisor[Symbol.asyncDispose]();
  });

  it('stays stopped after a stop, also during its start, and closes the ports', async () => {
    const opening = Promise.withResolvers<Engine>();
    const { clock, supervisor } = supervised(() => opening.promise);
    const waiting = aPort();
    const closed = new Promise<void>(resolve => waiting.once('close', () => resolve()));
    supervisor.attach(waiting);
    const stopped = supervisor[Symbol.asyncDispose]();
    const engine = new Engine();
    opening.resolve(engine);
    await stopped;
    await closed;
    expect(engine.stopped).toBe(true);
    clock.advance(100_000);
    await settle();
    const late = aPort();
    const refused = new Promise<void>(resolve => late.once('close', () => resolve()));
    supervisor.attach(late);
    await refused;
  });
});
