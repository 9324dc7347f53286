import { randomToken } from '../../engine/access/random-token.ts';

/** Long enough for the start of a browser on a slow machine. */
const VALID_MS = 60_000;

/**
 * Single-use tickets in the address that a browser is started with. Every user of the machine can read that command
 * line, so it must not contain the token.
 */
export class Tickets {
  readonly #now: () => number;
  readonly #validUntil = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  issue(): string {
    const ticket = randomToken();
    this.#validUntil.set(ticket, this.#now() + VALID_MS);
    return ticket;
  }

  /** Returns true once for each ticket, within VALID_MS. */
  use(ticket: string): boolean {
    const validUntil = this.#validUntil.get(ticket);
    this.#validUntil.delete(ticket);
    return validUntil !== undefined && this.#now() <= validUntil;
  }
}
