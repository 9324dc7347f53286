import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Target } from '../../soak/target.ts';
import { startServedHost } from '../../support/served-host.ts';

/** Whether reads are fast is another test's question: this load may run beside others. */
const LONGEST_READ_MS = 60_000;

/** A served host in a process of its own whose clock runs `speed` times as fast. */
export class HostUnderLoad {
  readonly target: Target;
  readonly folder: string;
  readonly speed: number;
  readonly #origin: number;

  private constructor(target: Target, folder: string, speed: number, origin: number) {
    this.target = target;
    this.folder = folder;
    this.speed = speed;
    this.#origin = origin;
  }

  static async start(
    folder: string,
    speed: number,
    onComplaint: (what: string) => void,
  ): Promise<HostUnderLoad> {
    const origin = Date.now();
    const heapFolder = join(folder, 'heap');
    const host = await startServedHost({
      folder,
      flags: ['--log-level', 'error', '--backup-dir', folder],
      env: {
        NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'moved-clock.mjs'))}`,
        SANDGLASS_CLOCK_SPEED: String(speed),
        SANDGLASS_CLOCK_ORIGIN: String(origin),
        SANDGLASS_HEAP_FOLDER: heapFolder,
      },
    });
    const target = new Target(({ second, what }) => onComplaint(`${second} s: ${what}`), {
      longestReadMs: LONGEST_READ_MS,
    });
    target.use(host);
    return new HostUnderLoad(target, folder, speed, origin);
  }

  /** The host's wall clock, epoch ms. */
  now(): number {
    return Math.floor(this.#origin + (Date.now() - this.#origin) * this.speed);
  }

  get pid(): number | null {
    return this.target.host?.process.pid ?? null;
  }
  get file(): string {
    return join(this.folder, 'test.sandglass');
  }
  get heapFolder(): string {
    return join(this.folder, 'heap');
  }

  /** Ends the process. Returns its output. */
  async stop(): Promise<string> {
    const { host } = this.target;
    this.target.use(null);
    const code = await host?.stop('SIGTERM');
    rmSync(this.heapFolder, { recursive: true, force: true });
    if (code !== 0) this.target.complain(`it ended with ${code} on SIGTERM`);
    return host?.output() ?? '';
  }
}
