import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { NEEDS_LINUX } from '../../support/runs-here.ts';
import { TraceReader } from './trace-reader.ts';

/**
 * One system call on a file of the recorded folder, or a line that the process printed. `began` and `ended` are
 * positions in the trace: a sync covers the writes that ended before it began, and nothing of it counts until it ended.
 */
export type RecordedCall = { readonly began: number; readonly ended: number } & (
  | { readonly kind: 'open'; readonly path: string; readonly creates: boolean; readonly truncates: boolean }
  | { readonly kind: 'write'; readonly path: string; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'append'; readonly path: string; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly path: string; readonly size: number }
  | { readonly kind: 'sync'; readonly path: string }
  | { readonly kind: 'rename' | 'link'; readonly path: string; readonly to: string }
  | { readonly kind: 'unlink' | 'mkdir' | 'rmdir'; readonly path: string }
  | { readonly kind: 'said'; readonly line: string }
);

/** The reason why nothing can be recorded here; undefined: it can. */
export const NO_RECORDING =
  NEEDS_LINUX ??
  (spawnSync('strace', ['-f', '--seccomp-bpf', 'true'], { stdio: 'ignore' }).status === 0
    ? undefined
    : 'needs strace, and the right to trace a process');

const CALLS = [
  'openat,open,creat,write,writev,pwrite64,pwritev,pwritev2,ftruncate,truncate,fallocate,copy_file_range,sendfile',
  'fsync,fdatasync,sync_file_range,msync,sync,syncfs',
  'rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir',
].join(',');

/** Longest write whose bytes strace prints, bytes: SQLite and Node write less at once. */
const LONGEST_WRITE = 4 * 1024 * 1024;

/**
 * Runs `node SCRIPT …args` under strace and returns its calls on files below `folder`, and its lines of standard
 * output, in order. Rejects if it fails, takes longer than `timeoutMs`, or is aborted.
 */
export async function record(
  folder: string,
  words: readonly string[],
  { signal, timeoutMs = 180_000 }: { signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<RecordedCall[]> {
  const traceFile = `${folder}.trace`;
  const child = spawn(
    'strace',
    [
      ...['-f', '--seccomp-bpf', '-y', '-xx', '-s', String(LONGEST_WRITE), '-e', 'signal=none'],
      ...['-e', `trace=${CALLS}`, '-o', traceFile, process.execPath, ...words],
    ],
    // io_uring would write past strace.
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, UV_USE_IO_URING: '0' },
      timeout: timeoutMs,
      signal,
    },
  );
  const complaints: Buffer[] = [];
  child.stderr.on('data', (part: Buffer) => complaints.push(part));
  const [code, killedBy] = await once(child, 'exit');
  try {
    if (code !== 0)
      throw new Error(`the recorded process ended with ${code ?? killedBy}: ${Buffer.concat(complaints)}`);
    return new TraceReader(folder).read(readFileSync(traceFile));
  } finally {
    rmSync(traceFile, { force: true });
  }
}
