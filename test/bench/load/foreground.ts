import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { quantile } from '../figures.ts';

/** A client in a process of its own, which calls a server at a steady pace and measures each call. */
export interface Foreground extends AsyncDisposable {
  /** Returns the durations of the calls since the last `take`, ms. */
  take(): Promise<number[]>;
}

/** Starts `redis-foreground.ts` or `postgres-foreground.ts` on a server; resolves after its first call. */
export async function startForeground(
  script: 'redis-foreground.ts' | 'postgres-foreground.ts',
  uri: string,
): Promise<Foreground> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), [uri]);
  const ended = once(child, 'exit');
  const take = async (): Promise<number[]> => {
    child.send('take');
    const [calls] = await once(child, 'message');
    return calls;
  };
  while ((await take()).length === 0);
  return {
    take,
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}

export const p99 = (calls: readonly number[]): number => quantile(calls, 0.99);

/** Calls `act` every few milliseconds, one call at a time, and sends the durations to the parent when it asks. */
export async function callSteadily(act: () => Promise<unknown>, everyMs: number): Promise<never> {
  let calls: number[] = [];
  process.on('message', () => {
    process.send?.(calls);
    calls = [];
  });
  for (;;) {
    const began = performance.now();
    await act();
    calls.push(performance.now() - began);
    await new Promise(resolve => setTimeout(resolve, everyMs));
  }
}
