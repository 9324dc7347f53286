import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** The reason why no quota can be simulated here; undefined if it can. */
export const NO_QUOTA: string | undefined =
  spawnSync('strace', ['-f', '-e', 'trace=none', 'true']).status === 0
    ? undefined
    : 'needs strace and the right to trace a process';

/**
 * Makes every write of this process to `files` fail with EDQUOT, as on a file system whose quota is used up. Resolves when that
 * is in effect, with a function that ends it.
 */
export async function useUpQuota(files: readonly string[]): Promise<() => Promise<void>> {
  const writes = 'pwrite64,write,pwritev,writev';
  const tracer = spawn('strace', [
    ...['-f', '-p', String(process.pid), '-o', '/dev/null'],
    ...['-e', `trace=${writes}`, '-e', `inject=${writes}:error=EDQUOT`],
    ...files.flatMap(file => ['-P', file]),
  ]);
  const ended = once(tracer, 'exit');
  const stop = async () => {
    tracer.kill('SIGINT');
    await ended;
  };
  onTestFinished(stop);
  let said = '';
  const attached = new Promise<void>(resolve => {
    tracer.stderr.on('data', chunk => {
      said += String(chunk);
      if (said.includes('attached')) resolve();
    });
  });
  await Promise.race([attached, ended]);
  if (tracer.exitCode !== null) throw new Error(`strace did not attach: ${said}`);
  return stop;
}
