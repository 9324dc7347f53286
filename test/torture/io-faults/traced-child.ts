import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Account, fromChild, type ToChild } from './account.ts';
import { type Fault, Injection } from './strace.ts';

const CHILD = join(import.meta.dirname, 'child.ts');
/** Longest time of a scenario, ms: its own waits end long before, also on a machine with other work. */
const MOST_MS = 240_000;

export interface Outcome {
  /** Null: the process ended, or did not answer in time. */
  readonly account: Account | null;
  /** How the process ended or why it was killed; null: it answered. */
  readonly ended: string | null;
  /** Calls that failed, as strace wrote them, or what else was done to the store. */
  readonly injected: readonly string[];
}

/** A process that runs one scenario after another; started again when one of them ended it. */
export class TracedChild {
  #child: ChildProcess | null = null;

  /** Runs a scenario on the store `file` with one fault. */
  runWithFault(order: ToChild, fault: Fault): Promise<Outcome> {
    return this.run(order, async pid => {
      const injection = await Injection.attach(pid, order.file, fault, `${order.file}.strace`);
      return () => injection.detach();
    });
  }

  /** Runs a scenario while something disturbs it: `disturb` begins that, and returns what ends it and says what it did. */
  async run(
    order: ToChild,
    disturb: (pid: number) => Promise<() => Promise<readonly string[]>>,
  ): Promise<Outcome> {
    const child = await this.#started();
    if (child.pid === undefined) throw new Error('the process has no id');
    const stop = await disturb(child.pid);
    const { promise: outcome, resolve } = Promise.withResolvers<Pick<Outcome, 'account' | 'ended'>>();
    const timer = setTimeout(
      () => resolve({ account: null, ended: `it did not end within ${MOST_MS / 1_000} s` }),
      MOST_MS,
    );
    const onExit = (code: number | null, signal: string | null) =>
      resolve({ account: null, ended: `the process ended with ${signal ?? code}` });
    const onMessage = (message: unknown) => {
      const answer = fromChild.parse(message);
      if (answer.kind === 'done') resolve({ account: answer.account, ended: null });
    };
    child.once('exit', onExit);
    child.on('message', onMessage);
    child.send(order);
    const { account, ended } = await outcome;
    clearTimeout(timer);
    child.off('exit', onExit);
    child.off('message', onMessage);
    const injected = await stop();
    if (account === null) await this.end();
    return { account, ended, injected };
  }

  async end(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  async #started(): Promise<ChildProcess> {
    if (this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null)
      return this.#child;
    const child = fork(CHILD, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child = child;
    const [message]: unknown[] = await once(child, 'message');
    fromChild.parse(message);
    return child;
  }
}
