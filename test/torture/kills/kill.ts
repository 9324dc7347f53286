import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isOwned } from '../../../electron/engine/backends/embedded/file/ownership.ts';
import type { Acknowledgements } from '../lives/acknowledgements.ts';
import type { LifePrograms } from '../lives/built-lives.ts';

/** A process that neither ends nor is killed fails the part instead of blocking it. */
const LONGEST_MS = 120_000;

interface Life {
  readonly programs: LifePrograms;
  readonly file: string;
  /** Part of every name that this life writes. */
  readonly name: string;
  readonly phases: readonly string[];
}

/** Phases in which a store is not open all the time. */
const NOT_OPEN = ['opening', 'reopen'];

/**
 * Runs a life and kills it with SIGKILL `afterMs` after its line number `line`. Returns whether it was killed by that.
 * Rejects if the store was not locked at that moment.
 */
export async function killProcess(
  { programs, file, name, phases }: Life,
  acknowledged: Acknowledgements,
  { line, afterMs }: { line: number; afterMs: number },
): Promise<boolean> {
  let unlockedIn: string | null = null;
  let isClosed = false;
  const { signal } = await run([programs.life, file, name, ...phases], acknowledged, (heard, kill, text) => {
    if (text === 'closed') isClosed = true;
    if (heard !== line) return;
    setTimeout(() => {
      const { phase } = acknowledged;
      if (!NOT_OPEN.includes(phase) && !isOwned(file)) unlockedIn = phase;
      kill();
    }, afterMs);
  });
  // It may have begun to close the store before it was asked.
  if (unlockedIn !== null && unlockedIn === acknowledged.phase && !isClosed && signal === 'SIGKILL')
    throw new Error(`another process could have opened the store in ${unlockedIn}`);
  return signal === 'SIGKILL';
}

/**
 * Runs a life as the thread of a process that goes on: the thread ends `afterMs` after its start, or, with a limit, when it
 * has no memory left, and another thread opens the store in the same process. Returns how the first one ended.
 */
export async function killThread(
  { programs, file, name, phases }: Life,
  acknowledged: Acknowledgements,
  how: { afterMs: number } | { limitMiB: number },
): Promise<string> {
  const limit = 'limitMiB' in how ? `memory ${how.limitMiB}` : `after ${how.afterMs}`;
  let end = 'none';
  const { code, errors } = await run(
    [programs.thread, limit, file, name, ...phases],
    acknowledged,
    (_, __, text) => {
      if (text.startsWith('thread ended ')) end = text.slice('thread ended '.length);
    },
  );
  if (code !== 0) throw new Error(`the second thread of the process failed: ${errors}`);
  return end;
}

async function run(
  words: readonly string[],
  acknowledged: Acknowledgements,
  onLine: (heard: number, kill: () => void, text: string) => void,
): Promise<{ code: number | null; signal: NodeJS.Signals | null; errors: string }> {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'], timeout: LONGEST_MS });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = once(child, 'exit');
  let heard = 0;
  acknowledged.phase = 'opening';
  onLine(heard, () => child.kill('SIGKILL'), '');
  for await (const text of createInterface({ input: child.stdout })) {
    heard += 1;
    acknowledged.hear(text);
    onLine(heard, () => child.kill('SIGKILL'), text);
  }
  await ended;
  const { exitCode: code, signalCode: signal } = child;
  if (code !== 0 && signal !== 'SIGKILL')
    throw new Error(`the process ended with ${code ?? signal}: ${errors}`);
  return { code, signal, errors };
}
