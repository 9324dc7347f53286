import { describe, expect, it } from 'vitest';
import { EngineProcess, type StartedProcess } from '../../../electron/dev/engine-process.ts';
import { isEngineSource } from '../../../electron/dev/engine-sources.ts';
import { createManualClock } from '../../support/manual-clock.ts';

/** An engine whose processes end when the test ends them, or at once after `stop` if `endsOnStop`. */
function world({ endsOnStop = true } = {}) {
  const clock = createManualClock(0);
  const said: string[] = [];
  const processes: { end(code: number | null): Promise<void>; stops: number }[] = [];
  const start = (): StartedProcess => {
    const { promise, resolve } = Promise.withResolvers<number | null>();
    const process = {
      stops: 0,
      end: async (code: number | null) => {
        resolve(code);
        await promise;
        await Promise.resolve();
      },
    };
    processes.push(process);
    return {
      exited: promise,
      stop: () => {
        process.stops += 1;
        if (endsOnStop) resolve(0);
      },
    };
  };
  const engine = new EngineProcess(start, clock, line => void said.push(line));
  engine.start();
  /** Reports changes and waits until their restart was requested. */
  const change = async (...paths: string[]) => {
    for (const path of paths) engine.sourceChanged(path);
    clock.advance(1_000);
    await new Promise(resolve => setImmediate(resolve));
  };
  return { engine, processes, said, change };
}

describe('the engine process of npm run dev', () => {
  it('restarts once after several files changed together', async () => {
    const { processes, change, said, engine } = world();
    await change('electron/serve.ts', 'shared/model/names.ts');
    expect(processes.map(({ stops }) => stops)).toEqual([1, 0]);
    expect(said).toEqual(['shared/model/names.ts changed: restarting the engine …']);
    expect(engine.state).toBe('running');
  });

  it('starts the next process only after the former one has ended, after any number of changes', async () => {
    const { processes, change, engine } = world({ endsOnStop: false });
    await change('electron/serve.ts');
    await change('electron/web/server.ts');
    expect(processes).toHaveLength(1);
    expect(engine.state).toBe('stopping');
    await processes[0]?.end(0);
    expect(processes).toHaveLength(2);
  });

  it('waits for a change after an unrequested exit', async () => {
    const { processes, change, said, engine } = world();
    await processes[0]?.end(1);
    expect(engine.state).toBe('failed');
    expect(said[0]).toContain('exit code 1');
    await change('electron/serve.ts');
    expect(processes).toHaveLength(2);
    expect(engine.state).toBe('running');
  });

  it('ends its process when it is disposed, and starts none afterwards', async () => {
    const { processes, change, engine } = world();
    await engine[Symbol.asyncDispose]();
    await change('electron/serve.ts');
    expect(processes.map(({ stops }) => stops)).toEqual([1]);
    expect(engine.state).toBe('disposed');
  });
});

it.each([
  ['electron/engine/api/jobs.ts', true],
  ['electron/start/flags.mjs', true],
  ['shared/contract/procedure-builder.ts', true],
  ['electron/cli/run.ts', false],
  ['electron/desktop/window.ts', false],
  ['electron/dev/dev.ts', false],
  ['electron/main.ts', false],
  ['electron/launch.mjs', false],
  ['renderer/App.tsx', false],
  ['electron/engine/.tsbuildinfo', false],
])('a change of %s restarts the engine: %s', (path, restarts) => {
  expect(isEngineSource(path)).toBe(restarts);
});
