import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { findOrInstall } from '../../support/debian-program.mjs';

const FILES = [
  '',
  '-wal',
  '-shm',
  '-journal',
  '-lock',
  '-owner',
  '-compact',
  '-unsynced',
  '-unsynced.partial',
  '-recovered',
  '-recovered-wal',
  '.backup',
];

/** A fault: the `first` call of a system call on the store's files fails, and then every `every`th. */
export interface Fault {
  readonly syscall: string;
  /** `EIO`; `delay:N`: nothing fails, each call begins N µs later. */
  readonly error: string;
  readonly first: number;
  readonly every: number;
  /** Only calls on the store's file itself: a sync of it is one of a checkpoint, as a commit syncs the log. */
  readonly isOfFile?: true;
}

export function describeFault({ syscall, error, first, every, isOfFile }: Fault): string {
  const where = isOfFile ? ' on the store’s file' : '';
  return `${error} of ${syscall}${where}, from the ${first}. on every ${every}.`;
}

/** The reason why faults cannot be injected here; undefined: they can. */
export function missingStrace(): string | undefined {
  if (process.platform !== 'linux') return 'needs strace, which is Linux’s';
  const find = () => (spawnSync('strace', ['-V']).status === 0 ? 'strace' : undefined);
  if (findOrInstall(find, 'strace') === undefined) return 'needs strace';
  const traced = spawnSync('strace', ['-o', '/dev/null', 'true']);
  return traced.status === 0 ? undefined : 'needs the right to trace processes (ptrace)';
}

/** Strace attached to a process with one fault. */
export class Injection {
  readonly #strace: ChildProcess;
  readonly #output: string;

  private constructor(strace: ChildProcess, output: string) {
    this.#strace = strace;
    this.#output = output;
  }

  /** Resolves when every thread of the process is traced. */
  static async attach(pid: number, file: string, fault: Fault, output: string): Promise<Injection> {
    const { syscall, error, first, every } = fault;
    const how = error.startsWith('delay:') ? `delay_enter=${error.slice(6)}` : `error=${error}`;
    const inject = `inject=${syscall}:${how}:when=${first}+${every}`;
    const suffixes = fault.isOfFile ? [''] : FILES;
    const paths = suffixes.flatMap(suffix => ['-P', `${file}${suffix}`]);
    const strace = spawn(
      'strace',
      ['-f', '-y', '-ttt', '-p', String(pid), '-e', `trace=${syscall}`, '-e', inject, ...paths, '-o', output],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    await new Promise<void>((resolve, reject) => {
      strace.stderr?.on('data', (text: Buffer) => {
        if (text.toString().includes('attached')) resolve();
      });
      strace.once('error', reject);
      strace.once('exit', code => reject(new Error(`strace ended with code ${code}`)));
    });
    return new Injection(strace, output);
  }

  /** Detaches. Returns the lines of the calls that failed, each with its thread and its time, epoch s. */
  async detach(): Promise<string[]> {
    if (this.#strace.exitCode === null && this.#strace.signalCode === null) {
      const ended = once(this.#strace, 'exit');
      this.#strace.kill('SIGINT');
      await ended;
    }
    if (!existsSync(this.#output)) return [];
    const lines = readFileSync(this.#output, 'utf8').split('\n');
    rmSync(this.#output);
    return lines.filter(line => line.includes('(INJECTED)') || line.includes('(DELAYED)'));
  }
}
