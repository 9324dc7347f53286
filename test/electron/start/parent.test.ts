import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { NEEDS_POSIX, runsHere } from '../../support/runs-here.ts';

const parent = fileURLToPath(new URL('../../../electron/start/parent.mjs', import.meta.url));

/** Runs a script as npm does: under a shell, which the forwarded signal ends. */
async function underAShell(environment: Record<string, string>): Promise<string> {
  const program = `import(${JSON.stringify(parent)}).then(({ stopWithParent }) => {
    stopWithParent();
    process.on('SIGTERM', () => { console.log('stopped cleanly'); process.exit(0); });
    setTimeout(() => { console.log('still alone'); process.exit(0); }, 1500);
    console.log('ready');
  })`;
  const { npm_lifecycle_event: _, ...rest } = process.env;
  const shell = spawn('sh', ['-c', `"$0" -e "$1"; true`, process.execPath, program], {
    env: { ...rest, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (text.includes('ready')) shell.kill('SIGTERM');
  });
  // The pipe closes when the last process that has it open has ended, an orphan included.
  await once(shell.stdout, 'close');
  return output;
}

describe.runIf(runsHere('a start whose npm was ended', NEEDS_POSIX))('a start whose npm was ended', () => {
  it('stops as if it had received the signal', async () => {
    expect(await underAShell({ npm_lifecycle_event: 'start' })).toBe('ready\nstopped cleanly\n');
  });

  it('keeps running if it was not started by npm', async () => {
    expect(await underAShell({})).toBe('ready\nstill alone\n');
  });
});
