import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { withTemporaryFolder } from '../support/memory-folder.mjs';
import { processFolder, removeFolder } from '../support/process-folder.mjs';
import { NEEDS_POSIX, runsHere } from '../support/runs-here.ts';
import { temporaryFolder } from '../support/temporary.ts';

test('the folder of temporary files can be written while tests run, and is deleted after them, also after a failure', async () => {
  let used = '';
  const failing = withTemporaryFolder(async folder => {
    used = folder;
    writeFileSync(join(folder, 'one'), 'text');
    throw new Error('a test run ended');
  });
  await expect(failing).rejects.toThrow('a test run ended');
  expect(used).not.toBe('');
  expect(existsSync(used)).toBe(false);
});

const MODULE = new URL('../support/process-folder.mjs', import.meta.url).href;

/** Starts a process that makes a folder in `place`, and returns its path. */
async function makingFolder(place: string): Promise<{ child: ChildProcess; folder: string }> {
  const script = `
    import { writeFileSync } from 'node:fs';
    import { exitOnSignals, processFolder } from '${MODULE}';
    exitOnSignals();
    const folder = processFolder(process.argv[1], 'a-test-');
    writeFileSync(folder + '/one', 'text');
    setInterval(() => {}, 60_000);
    console.log(folder);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, place], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  return { child, folder: String(line).trim() };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await once(child, 'exit');
}

describe.runIf(runsHere('the end of a process by a signal', NEEDS_POSIX))('the folder of a process', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('is deleted when %s ends the process', async signal => {
    const { child, folder } = await makingFolder(temporaryFolder());
    expect(existsSync(folder)).toBe(true);
    await end(child, signal);
    expect(existsSync(folder)).toBe(false);
  });

  test('is deleted by the next process if the first was killed, and only then', async () => {
    const place = temporaryFolder();
    const other = join(place, 'a-test-of-somebody');
    mkdirSync(other);
    const killed = await makingFolder(place);
    const running = await makingFolder(place);
    expect(existsSync(killed.folder)).toBe(true);
    await end(killed.child, 'SIGKILL');
    expect(existsSync(killed.folder)).toBe(true);
    removeFolder(processFolder(place, 'a-test-'));
    expect([killed.folder, running.folder, other].map(path => existsSync(path))).toEqual([false, true, true]);
  });
});
