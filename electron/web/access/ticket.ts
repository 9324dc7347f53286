import { randomToken } from './token.ts';

/** Long enough for a browser to start on a slow machine. */
const VALID_MS = 60_000;

/**
 * Addresses that open the app once. Every user of a machine can read the command line a browser was started with;
 * the ticket in it is used up by the time they do, while the token would let them in.
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

  /** True once for each ticket, while it is fresh. */
  use(ticket: string): boolean {
    const validUntil = this.#validUntil.get(ticket);
    this.#validUntil.delete(ticket);
    return validUntil !== undefined && this.#now() <= validUntil;
  }
}
