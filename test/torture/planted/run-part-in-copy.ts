import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processFolder, removeFolder } from '../../support/process-folder.mjs';

/** A part that neither passes nor fails after this time hangs, which catches the bug as well. */
const LONGEST_QUICK_MS = 600_000;
const LONGEST_AFTER_END_MS = 600_000;

export interface PartOutcome {
  /** Null: the part passed. */
  readonly failure: string | null;
  readonly seconds: number;
}

/** Runs one part on the sources in `copy`, as a sample or for some seconds. */
export async function runPartInCopy(
  copy: string,
  part: string,
  { seed, seconds }: { seed: number; seconds: number | 'quick' },
): Promise<PartOutcome> {
  const began = performance.now();
  const folder = processFolder(tmpdir(), 'sandglass-planted-run-');
  const size = seconds === 'quick' ? ['--quick'] : ['--minutes', String(seconds / 60)];
  const child = spawn(
    process.execPath,
    [join(copy, 'test/torture/main.ts'), '--only', part, '--seed', String(seed), ...size],
    {
      cwd: copy,
      // A group of its own, so that a part that hangs ends with its hosts and traced processes.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TMPDIR: folder },
    },
  );
  let output = '';
  const hear = (text: string) => (output += text);
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  const longestMs = seconds === 'quick' ? LONGEST_QUICK_MS : seconds * 1_000 + LONGEST_AFTER_END_MS;
  let isHanging = false;
  const timer = setTimeout(() => {
    isHanging = true;
    endGroup(child.pid);
  }, longestMs);
  const stop = () => endGroup(child.pid);
  // Before the folder is deleted.
  process.prependOnceListener('exit', stop);
  try {
    const [code] = await once(child, 'close');
    const failure = isHanging ? `it hangs for ${longestMs / 1_000} s` : code === 0 ? null : failureIn(output);
    return { failure, seconds: (performance.now() - began) / 1_000 };
  } finally {
    clearTimeout(timer);
    process.off('exit', stop);
    endGroup(child.pid);
    removeFolder(folder);
  }
}

/** Kills the processes that the part has left running. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!isGone) throw error;
  }
}

/** The first violation that the part printed, or the error that ended it. */
function failureIn(output: string): string {
  const lines = output.split('\n').map(line => line.trim());
  const found = lines.find(line => line.startsWith('✗')) ?? lines.find(line => /Error\b/.test(line));
  return (found ?? lines.findLast(line => line !== '') ?? 'it ended without a word').replace(/^✗ /, '');
}
