import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Acknowledgements } from '../lives/acknowledgements.ts';

const LIFE = new URL('../lives/life-child.ts', import.meta.url).pathname;
const THREADS = new URL('./thread-child.ts', import.meta.url).pathname;
/** A process that neither ends nor is killed fails the part instead of blocking it. */
const LONGEST_MS = 120_000;

interface Life {
  readonly file: string;
  /** Part of every name that this life writes. */
  readonly name: string;
  readonly phases: readonly string[];
}

/** Runs a life and kills it with SIGKILL `afterMs` after its line number `line`. Returns whether it was killed by that. */
export async function killProcess(
  { file, name, phases }: Life,
  acknowledged: Acknowledgements,
  { line, afterMs }: { line: number; afterMs: number },
): Promise<boolean> {
  const { signal } = await run([LIFE, file, name, ...phases], acknowledged, (heard, kill) => {
    if (heard === line) setTimeout(kill, afterMs);
  });
  return signal === 'SIGKILL';
}

/**
 * Runs a life as the thread of a process that goes on: the thread ends `afterMs` after its start, or, with a limit, when it
 * has no memory left, and another thread opens the store in the same process. Returns how the first one ended.
 */
export async function killThread(
  { file, name, phases }: Life,
  acknowledged: Acknowledgements,
  how: { afterMs: number } | { limitMiB: number },
): Promise<string> {
  const limit = 'limitMiB' in how ? `memory ${how.limitMiB}` : `after ${how.afterMs}`;
  let end = 'none';
  const { code, errors } = await run([THREADS, limit, file, name, ...phases], acknowledged, (_, __, text) => {
    if (text.startsWith('thread ended ')) end = text.slice('thread ended '.length);
  });
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
