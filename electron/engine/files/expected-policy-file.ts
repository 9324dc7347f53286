import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { type ExpectedPolicy, expectedPolicy } from '../../../shared/contract/policy.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { diskFull, isOutOfSpace } from './file-system-space.ts';
import { removeFile, replaceFile } from './replace-file.ts';
import { sidecarFile } from './sidecar-files.ts';
import { realFile } from './store-path.ts';

const VERSION = 1;
const stored = expectedPolicy.extend({ version: z.literal(VERSION) });

/**
 * The policy that a connection is compared with, in a file beside its store or its mirror. No backup contains it: a
 * restored store is compared with the present policy.
 */
export class ExpectedPolicyFile {
  readonly #file: string;
  #read: ExpectedPolicy | null | undefined;

  constructor(storeFile: string) {
    this.#file = sidecarFile(realFile(storeFile), '-policy');
  }

  /** Returns null if there is none. Throws STORE_UNREADABLE for a broken file, which stays as it is. */
  get current(): ExpectedPolicy | null {
    if (this.#read === undefined) this.#read = existsSync(this.#file) ? parse(this.#file) : null;
    return this.#read;
  }

  /**
   * Replaces the policy; null removes it. The file has the old policy or the new one after a power cut. Throws DISK_FULL;
   * the old policy then stays.
   */
  keep(policy: ExpectedPolicy | null): void {
    if (policy === null) removeFile(this.#file);
    else {
      const whole = { version: VERSION, ...policy } satisfies z.infer<typeof stored>;
      const text = `${JSON.stringify(whole, null, 2)}\n`;
      try {
        replaceFile(this.#file, text);
      } catch (error) {
        throw isOutOfSpace(error, this.#file) ? diskFull(this.#file, Buffer.byteLength(text)) : error;
      }
    }
    this.#read = policy;
  }
}

function parse(file: string): ExpectedPolicy {
  try {
    const { version: _, ...policy } = stored.parse(JSON.parse(readFileSync(file, 'utf8')));
    return policy;
  } catch (error) {
    throw new SandglassError(
      'STORE_UNREADABLE',
      `${file} holds no valid policy. Apply a policy again, or remove the file.`,
      { file, cause: error instanceof Error ? error.message : String(error) },
    );
  }
}
