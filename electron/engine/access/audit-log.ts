import { RotatedFile } from '../files/rotated-file.ts';
import { sidecarFile } from '../files/sidecar-files.ts';
import { realFile } from '../files/store-path.ts';
import type { Clock } from '../platform/clock.ts';
import { errorFields, type Logger } from '../platform/logger.ts';
import type { Caller } from './caller.ts';

const PART_BYTES = 4 * 1024 * 1024;
const PARTS = 5;
const MINUTE_MS = 60_000;
/** Refusals that are written per minute; further ones are only counted. */
const REFUSALS_A_MINUTE = 60;
/** Longest field, characters: names of tokens and backups, and addresses of requests, can be long. */
const LONGEST_FIELD = 300;

/** One action; the other fields name its subject. */
export interface AuditEntry {
  /** Name of the action: `token created`, `backup done`, `refused` … */
  readonly what: string;
  readonly [field: string]: string | number | boolean | null | undefined;
}

/** The fields of an entry that identify the caller. */
export function byCaller({ user, from }: Caller): { by: string; from: Caller['from'] } {
  return { by: user, from };
}

/** The audit log of a store is beside it, with older parts as `.1` to `.4`. */
function auditFile(storeFile: string): string {
  return sidecarFile(realFile(storeFile), '-audit.jsonl');
}

/**
 * Records actions on tokens, backups and connections, and refusals: one line of JSON each, in a file that only its
 * owner can read. At most 20 MiB are kept, and at most 60 refusals a minute, so that refusals cannot displace
 * actions. A line that cannot be written does not fail its call; the engine's log reports it.
 */
export class AuditLog {
  readonly #file: RotatedFile;
  readonly #clock: Clock;
  readonly #log: Logger;
  #minute = Number.NEGATIVE_INFINITY;
  #refusals = 0;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(storeFile: string, clock: Clock, log: Logger) {
    this.#file = new RotatedFile({ file: auditFile(storeFile), partBytes: PART_BYTES, parts: PARTS });
    this.#clock = clock;
    this.#log = log;
  }

  done(entry: AuditEntry): void {
    this.#write(entry);
  }

  refused(entry: Omit<AuditEntry, 'what'>): void {
    const minute = Math.floor(this.#clock.elapsed() / MINUTE_MS);
    if (minute !== this.#minute) {
      const more = this.#refusals - REFUSALS_A_MINUTE;
      if (more > 0) this.#write({ what: 'refused', more });
      this.#minute = minute;
      this.#refusals = 0;
    }
    this.#refusals += 1;
    if (this.#refusals <= REFUSALS_A_MINUTE) this.#write({ what: 'refused', ...entry });
  }

  #write(entry: AuditEntry): void {
    const cut = Object.entries(entry).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > LONGEST_FIELD ? `${value.slice(0, LONGEST_FIELD)}…` : value,
    ]);
    const at = new Date(this.#clock.now()).toISOString();
    try {
      this.#file.append(`${JSON.stringify({ at, ...Object.fromEntries(cut) })}\n`);
    } catch (error) {
      // On a full disk every line fails: reported once a minute.
      if (this.#clock.elapsed() - this.#failedAt < MINUTE_MS) return;
      this.#failedAt = this.#clock.elapsed();
      this.#log.error('the audit log cannot be written', errorFields(error));
    }
  }
}
