import type { ServedHost } from '../support/served-host.ts';

/** An answer that the soak does not accept. */
export interface Complaint {
  readonly second: number;
  readonly what: string;
}

/** Longest allowed duration of an ordinary read by default, ms. Large bodies are not ordinary reads. */
const LONGEST_READ_MS = 5_000;

/** Codes of refused load and of expressions that take too long. */
const TYPED_REFUSAL = /^{"code":"(BUSY|EXPRESSION_TIMEOUT)"/;

/** The host under test, which may be restarting, with the observations so far. */
export class Target {
  #host: ServedHost | null = null;
  /** Whether the disk is full, or was a moment ago. */
  isFull = false;
  readonly complaints: Complaint[] = [];
  readonly statuses = new Map<string, number>();
  /** The slowest ordinary read, ms. */
  slowestReadMs = 0;
  readonly #startedAt = performance.now();
  readonly #onComplaint: (complaint: Complaint) => void;
  readonly #longestReadMs: number;

  constructor(
    onComplaint: (complaint: Complaint) => void = () => {},
    { longestReadMs = LONGEST_READ_MS }: { longestReadMs?: number } = {},
  ) {
    this.#longestReadMs = longestReadMs;
    this.#onComplaint = onComplaint;
  }

  get second(): number {
    return Math.round((performance.now() - this.#startedAt) / 1_000);
  }

  get host(): ServedHost | null {
    return this.#host;
  }

  /** Null while the host is stopped on purpose. */
  use(host: ServedHost | null): void {
    this.#host = host;
  }

  complain(what: string): void {
    const complaint = { second: this.second, what };
    this.complaints.push(complaint);
    this.#onComplaint(complaint);
  }

  /**
   * Sends one request. Returns null if the host was stopped meanwhile. A 5xx is reported, except a typed refusal of load
   * and 507 while the disk is full. So is a message that contains a stack.
   */
  async request(
    method: string,
    path: string,
    { body, token, type = 'application/json' }: { body?: string; token?: string; type?: string } = {},
  ): Promise<{ status: number; text: string } | null> {
    const host = this.#host;
    if (host === null) return null;
    const began = performance.now();
    let status: number;
    let text: string;
    try {
      const response = await fetch(host.origin + path, {
        method,
        headers: {
          authorization: `Bearer ${token ?? host.token}`,
          ...(body === undefined ? {} : { 'content-type': type }),
        },
        ...(body === undefined ? {} : { body }),
      });
      status = response.status;
      text = await response.text();
    } catch (error) {
      if (this.#host === host) this.complain(`${method} ${path}: ${String(error)} ${causeOf(error)}`);
      return null;
    }
    const tookMs = performance.now() - began;
    const key = `${method} ${status}`;
    this.statuses.set(key, (this.statuses.get(key) ?? 0) + 1);
    const isRefusal = (status === 507 && this.isFull) || (status === 503 && TYPED_REFUSAL.test(text));
    if (status >= 500 && !isRefusal && this.#host === host)
      this.complain(
        `${method} ${path} answered ${status} after ${Math.round(tookMs)} ms: ${text.slice(0, 300)}`,
      );
    if (/\n\s+at .*:\d+:\d+/.test(text))
      this.complain(`${method} ${path} answered a stack: ${text.slice(0, 300)}`);
    return { status, text };
  }

  /** Sends an ordinary read, which other calls may not delay for long. */
  async read(path: string): Promise<{ status: number; text: string } | null> {
    const began = performance.now();
    const answer = await this.request('GET', path);
    const tookMs = performance.now() - began;
    if (answer === null) return null;
    if (answer.status !== 200)
      this.complain(`GET ${path} answered ${answer.status}: ${answer.text.slice(0, 200)}`);
    this.slowestReadMs = Math.max(this.slowestReadMs, tookMs);
    if (tookMs > this.#longestReadMs) this.complain(`GET ${path} took ${Math.round(tookMs)} ms`);
    return answer;
  }
}

function causeOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? String(error.cause) : '';
}
