import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { z } from 'zod';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import { ServerNetwork } from '../../../network/server-network.ts';
import { tlsFailure } from '../../../network/tls-failure.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/logger.ts';
import { etcdRefusal, isCode, isUnreachable, serverUnreachable } from './etcd-failure.ts';
import type { EtcdTarget } from './etcd-uri.ts';
import { Gateway, NotConnected } from './gateway.ts';
import { neededPermission } from './needed-permission.ts';
import { authenticateReply } from './replies.ts';

export interface EtcdClientOptions {
  readonly target: EtcdTarget;
  /** Absent: a direct one. */
  readonly network?: ServerNetwork | undefined;
  readonly clock: Pick<Clock, 'setTimer'>;
  readonly log: Logger;
}

export interface CallOptions {
  /**
   * True if a repeated call has the same effect: it is then tried on each member. Otherwise the next member is tried
   * only if no request was sent.
   */
  readonly isRepeatable: boolean;
}

const READ: CallOptions = { isRepeatable: true };
/** Longer than etcd's own request timeout of 7 s. */
const TIMEOUT_MS = 10_000;

/**
 * Calls the JSON gateway (`/v3/…`) of one member, and of the next member if it does not answer. Logs in with user and
 * password, and again if the token is no longer accepted.
 */
export class EtcdClient {
  readonly #options: EtcdClientOptions;
  readonly #gateway: Gateway;
  readonly #stop = new AbortController();
  #endpoint = 0;
  #token: string | null = null;
  #loggingIn: Promise<void> | null = null;

  constructor(options: EtcdClientOptions) {
    this.#options = options;
    const { target, clock, log, network = new ServerNetwork({ target: {}, clock, log }) } = options;
    this.#gateway = new Gateway(network, target.tls);
  }

  /**
   * Calls a method of the gateway. Throws SERVER_UNREACHABLE (`data.mayBeApplied` is true if the request was sent), and
   * PERMISSION_DENIED, DISK_FULL, REVISION_COMPACTED and EXPECTATION_FAILED as `etcdRefusal` does.
   */
  async call<Reply extends z.ZodType>(
    path: string,
    body: object,
    reply: Reply,
    options: CallOptions = READ,
  ): Promise<z.output<Reply>> {
    return this.#namingPermission(path, body, () =>
      this.#loggedIn(async () => {
        const response = await this.#anyMember(endpoint => this.#post(endpoint, path, body), options);
        return reply.parse(response);
      }),
    );
  }

  /**
   * Sends a request and passes on each message of the answer, one after the other. Resolves when the server ends the
   * stream. Throws as `call` does, and CANCELLED if the signal aborts.
   */
  async stream<Message extends z.ZodType>(
    path: string,
    body: object,
    message: Message,
    {
      signal,
      onMessage,
    }: { signal: AbortSignal; onMessage(message: z.output<Message>): void | Promise<void> },
  ): Promise<void> {
    const aborted = AbortSignal.any([signal, this.#stop.signal]);
    const read = async () => {
      const response = await this.#anyMember(endpoint => this.#send(endpoint, path, body, aborted), READ);
      const { statusCode = 0 } = response;
      if (statusCode !== OK) throw etcdRefusal(statusCode, jsonOf(await textOf(response)));
      for await (const line of linesOf(response, aborted)) {
        const parsed: unknown = JSON.parse(line);
        const refused = streamError(parsed);
        if (refused !== null) throw etcdRefusal(statusCode, refused);
        await onMessage(message.parse(parsed));
      }
    };
    await this.#namingPermission(path, body, () => this.#loggedIn(read));
  }

  /** Aborts all requests in progress. */
  close(): void {
    this.#stop.abort();
    this.#gateway.close();
  }

  /** The server's refusal does not name the permission that is missing. */
  async #namingPermission<Value>(path: string, body: object, work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      const { user } = this.#options.target;
      if (!isCode(error, 'PERMISSION_DENIED') || error.data.etcd !== NO_PERMISSION || user === null)
        throw error;
      const needed = neededPermission(path, body);
      throw new SandglassError('PERMISSION_DENIED', `The etcd user ${user} needs ${needed}.`, {
        ...error.data,
        user,
        needed,
      });
    }
  }

  async #loggedIn<Value>(work: () => Promise<Value>): Promise<Value> {
    const { user } = this.#options.target;
    if (user === null) return work();
    if (this.#token === null) await this.#logIn();
    try {
      return await work();
    } catch (error) {
      if (!isCode(error, 'UNAUTHORIZED')) throw error;
      this.#token = null;
      await this.#logIn();
      return work();
    }
  }

  #logIn(): Promise<void> {
    this.#loggingIn ??= this.#authenticate().finally(() => {
      this.#loggingIn = null;
    });
    return this.#loggingIn;
  }

  async #authenticate(): Promise<void> {
    const { user, password } = this.#options.target;
    const body = { name: user, password: password ?? '' };
    try {
      const reply = await this.#anyMember(endpoint => this.#post(endpoint, 'auth/authenticate', body), READ);
      this.#token = authenticateReply.parse(reply).token;
    } catch (error) {
      if (
        !(error instanceof SandglassError) ||
        !/authentication is not enabled/.test(String(error.data.etcd))
      ) {
        throw error;
      }
      this.#options.log.warn('etcd has authentication turned off; the user of this connection is not used');
      this.#token = '';
    }
  }

  /** Tries the member that answered last, then the others; a pooled socket that the server has closed costs one try. */
  async #anyMember<Value>(
    work: (endpoint: string) => Promise<Value>,
    { isRepeatable }: CallOptions,
  ): Promise<Value> {
    const { endpoints } = this.#options.target;
    for (let tries = 1; ; tries++) {
      try {
        return await work(endpoints[this.#endpoint % endpoints.length] ?? '');
      } catch (error) {
        if (this.#stop.signal.aborted || !isUnreachable(error) || tries > endpoints.length) throw error;
        if (!isRepeatable && error.data.mayBeApplied === true) throw error;
        this.#endpoint += 1;
      }
    }
  }

  async #post(endpoint: string, path: string, body: object): Promise<unknown> {
    const timeout = new AbortController();
    const cancel = this.#options.clock.setTimer(TIMEOUT_MS, () => timeout.abort());
    const signal = AbortSignal.any([timeout.signal, this.#stop.signal]);
    try {
      const response = await this.#send(endpoint, path, body, signal);
      const reply = jsonOf(await textOf(response));
      const { statusCode = 0 } = response;
      if (statusCode !== OK) throw etcdRefusal(statusCode, reply);
      return reply;
    } catch (error) {
      throw timeout.signal.aborted ? serverUnreachable(`no answer in ${TIMEOUT_MS / 1_000} s`) : error;
    } finally {
      cancel();
    }
  }

  async #send(endpoint: string, path: string, body: object, signal: AbortSignal): Promise<IncomingMessage> {
    const token = this.#token === null || this.#token === '' ? undefined : this.#token;
    try {
      return await this.#gateway.post({ endpoint, path, body, token, signal });
    } catch (error) {
      throw this.#stop.signal.aborted ? cancelled() : networkFailure(error);
    }
  }
}

const OK = 200;
/** Reply of the server if no role of the user permits the call. */
const NO_PERMISSION = 'etcdserver: permission denied';

async function textOf(response: IncomingMessage): Promise<string> {
  try {
    return await text(response);
  } catch (error) {
    throw networkFailure(error);
  }
}

/** Splits newline-delimited JSON. */
async function* linesOf(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<string> {
  response.setEncoding('utf8');
  let parts: string[] = [];
  try {
    for await (const chunk of response) {
      const [first = '', ...others] = String(chunk).split('\n');
      parts.push(first);
      for (const next of others) {
        const line = parts.join('');
        parts = [next];
        if (line !== '') yield line;
      }
    }
  } catch (error) {
    throw signal.aborted ? cancelled() : networkFailure(error);
  } finally {
    response.destroy();
  }
  if (parts.join('') !== '') yield parts.join('');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Servers other than etcd answer in another form, such as `Not Found`: etcdRefusal names its HTTP status.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A stream reports an error in a separate message. */
function streamError(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !('error' in message)) return null;
  const { error } = message;
  if (typeof error !== 'object' || error === null) return message;
  return { code: 2, ...error, ...('grpc_code' in error && { code: error.grpc_code }) };
}

function networkFailure(error: unknown): Error {
  if (error instanceof NotConnected) {
    const { cause } = error;
    return cause instanceof SandglassError ? cause : serverUnreachable(formatFailure(cause), false);
  }
  const failure = tlsFailure(error);
  return failure instanceof SandglassError ? failure : serverUnreachable(formatFailure(error));
}

/** Errors of an address with several results have a code and no message. */
function formatFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}

function cancelled(): SandglassError {
  return new SandglassError('CANCELLED', 'The connection to the etcd server is closed.');
}
