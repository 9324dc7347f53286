import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { alert } from '../../../shared/contract/alerts.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { removeFile, replaceFile } from '../files/replace-file.ts';
import { sidecarFile } from '../files/sidecar-files.ts';

const webhook = z.object({
  url: z.string(),
  secret: z.string(),
  insecure: z.boolean(),
  /** Alerts whose beginning was delivered to this address, and whose end was not. */
  delivered: z.array(alert).default([]),
});
export type WebhookSettings = z.infer<typeof webhook>;

/**
 * The file of a store's webhook: beside the store, readable by its owner only (0600), so that neither a backup nor a
 * follower has the secret.
 */
export class WebhookFile {
  readonly #file: string;

  constructor(storeFile: string) {
    this.#file = sidecarFile(storeFile, '-webhook');
  }

  /** Null: none is set. Throws STORE_UNREADABLE for an invalid file. */
  read(): WebhookSettings | null {
    let text: string;
    try {
      text = readFileSync(this.#file, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
    const read = webhook.safeParse(parsed(text));
    if (read.success) return read.data;
    throw new SandglassError(
      'STORE_UNREADABLE',
      `${this.#file} is not a webhook file of Sandglass. Move it away.`,
      {
        file: this.#file,
      },
    );
  }

  write(settings: WebhookSettings | null): void {
    if (settings === null) {
      removeFile(this.#file);
      return;
    }
    replaceFile(this.#file, `${JSON.stringify(settings)}\n`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
