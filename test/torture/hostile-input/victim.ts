import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { z } from 'zod';
import { type ServedHost, startServedHost } from '../../support/served-host.ts';
import { THINGS } from './grammars/calls.ts';
import type { HostileRequest } from './grammars/requests.ts';

/** Requests and sockets at the same time. */
export const AT_ONCE = 8;
const ANSWER_TIMEOUT_MS = 30_000;
/** Documents that no hostile call names, and that must stay as they are. */
const KEPT = 'kept';
const KEPT_DOCUMENTS = 200;

export interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
}

/** A served host in a process of its own, with a collection that every call names and one that none does. */
export class Victim {
  static async start(folder: string): Promise<Victim> {
    writeFileSync(join(folder, 'text.sandglass'), 'This is no store.');
    const victim = new Victim(await startServedHost({ folder }));
    await victim.fill();
    return victim;
  }

  readonly host: ServedHost;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  #kept = '';

  private constructor(host: ServedHost) {
    this.host = host;
  }

  /** Sends a request over a connection that stays open. Rejects if it is not answered in time. */
  async send(given: HostileRequest): Promise<Answer> {
    for (;;) {
      const answer = await this.#sendOnce(given);
      if (answer !== 'closed before') return answer;
    }
  }

  /** `closed before`: the host had closed the idle connection just before it was used again. */
  #sendOnce({ method, path, headers, body, hasToken }: HostileRequest): Promise<Answer | 'closed before'> {
    const { origin, token } = this.host;
    const { hostname, port } = new URL(origin);
    const given = { ...headers, ...(hasToken ? { authorization: `Bearer ${token}` } : {}) };
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          hostname,
          port,
          method,
          path,
          headers: { ...given, 'content-length': body?.length ?? 0 },
          agent: this.#agent,
          timeout: ANSWER_TIMEOUT_MS,
        },
        response => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              type: response.headers['content-type'],
              text: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      sent.on('timeout', () => sent.destroy(new Error(`no answer within ${ANSWER_TIMEOUT_MS} ms`)));
      sent.on('error', error => {
        if (sent.reusedSocket && 'code' in error && /^(ECONNRESET|EPIPE)$/.test(String(error.code)))
          resolve('closed before');
        else reject(error);
      });
      sent.end(body ?? undefined);
    });
  }

  /** Sends a call that must succeed. */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const { status, text } = await this.send({
      method,
      path,
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? null : Buffer.from(JSON.stringify(body)),
      hasToken: true,
    });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
    return JSON.parse(text);
  }

  async fill(): Promise<void> {
    await this.call('POST', '/api/collections', { name: KEPT });
    const documents = Array.from({ length: KEPT_DOCUMENTS }, (_, i) => ({
      _id: `k${i}`,
      at: 4e9,
      text: 'x'.repeat(50),
    }));
    await this.call('POST', `/api/collections/${KEPT}/documents`, documents);
    await this.call('POST', `/api/collections/${KEPT}/ttl-indexes`, {
      name: 'far',
      source: { kind: 'field', field: 'at', expireAfter: 1e9 },
    });
    await this.prepare();
    this.#kept = await this.#keptText();
  }

  /** Makes again what accepted calls have removed, and closes what they have opened. */
  async prepare(): Promise<void> {
    const collections = z
      .array(z.object({ name: z.string() }))
      .parse(await this.call('GET', '/api/collections'));
    if (!collections.some(({ name }) => name === THINGS))
      await this.call('POST', '/api/collections', { name: THINGS });
    const ignored = { hasToken: true, headers: { 'content-type': 'application/json' } };
    await this.send({
      ...ignored,
      method: 'POST',
      path: `/api/collections/${THINGS}/documents?mode=upsert`,
      body: Buffer.from('[{"_id":"a","at":4e9,"list":[1]},{"_id":"b","text":"x"}]'),
    });
    const source = { kind: 'field', field: 'at', expireAfter: 1e9 };
    // Refused while it exists.
    await this.send({
      ...ignored,
      method: 'POST',
      path: `/api/collections/${THINGS}/ttl-indexes`,
      body: Buffer.from(JSON.stringify({ name: 'i', source })),
    });
  }

  /** Returns what is wrong with the host after hostile input: it must answer, and have what no call named. */
  async problems(): Promise<string[]> {
    const found: string[] = [];
    if (this.host.process.exitCode !== null) return [`the host ended with ${this.host.process.exitCode}`];
    if ((await this.#keptText()) !== this.#kept) found.push('documents that no call named have changed');
    const errors = this.host
      .output()
      .split('\n')
      .filter(line => /^\S+Z error /.test(line) && !line.endsWith('code=STORE_BUSY'));
    if (errors.length > 0)
      found.push(`${errors.length} errors in the log, the first: ${errors[0]?.slice(0, 400)}`);
    return found;
  }

  async revision(): Promise<number> {
    return z.object({ revision: z.number() }).parse(await this.call('GET', '/api/store')).revision;
  }

  /** Highest resident memory of the host's process, MiB; null where the system does not tell it. */
  get peakMiB(): number | null {
    if (process.platform !== 'linux') return null;
    const [, kib] =
      /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.host.process.pid}/status`, 'utf8')) ?? [];
    return kib === undefined ? null : Math.round(Number(kib) / 1_024);
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await this.host.stop();
  }

  async #keptText(): Promise<string> {
    const page = z
      .object({ documents: z.array(z.object({ _id: z.string(), document: z.unknown() })) })
      .parse(await this.call('GET', `/api/collections/${KEPT}/documents?limit=1000`));
    const indexes = z
      .array(z.object({ name: z.string(), source: z.unknown(), documents: z.number() }))
      .parse(await this.call('GET', `/api/collections/${KEPT}/ttl-indexes`));
    return JSON.stringify([page.documents, indexes]);
  }
}
