import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';

export type Fields = Record<string, unknown>;

/** Returns a field of Chromium's message as text; empty if it is missing. */
export function text(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

export function object(fields: Fields, name: string): Fields {
  const value = fields[name];
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

interface Reply {
  id?: number;
  method?: string;
  params?: Fields;
  result?: Fields;
  error?: { message: string };
  sessionId?: string;
}

/** Chromium's debugging protocol over a pipe, independent of Playwright's own connection. */
export class Cdp {
  readonly #out: Writable;
  readonly #waiting = new Map<
    number,
    { resolve: (result: Fields) => void; reject: (error: Error) => void }
  >();
  readonly #sessions = new Map<string, EventEmitter>();
  #nextId = 1;
  #rest = '';

  constructor(out: Writable, input: Readable) {
    this.#out = out;
    input.setEncoding('utf8').on('data', (chunk: string) => this.#read(chunk));
    // Chromium ends when the app quits: messages after that are dropped.
    out.on('error', () => {});
    input.on('error', () => {});
  }

  /** Events of one session; '' is the browser's session. */
  events(session = ''): EventEmitter {
    const known = this.#sessions.get(session) ?? new EventEmitter();
    this.#sessions.set(session, known);
    return known;
  }

  send(method: string, params: Fields = {}, session = ''): Promise<Fields> {
    const id = this.#nextId++;
    const message = { id, method, params, ...(session === '' ? {} : { sessionId: session }) };
    this.#out.write(`${JSON.stringify(message)}\0`);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {
        resolve,
        reject: error => reject(new Error(`${method}: ${error.message}`)),
      });
    });
  }

  #read(chunk: string): void {
    const messages = (this.#rest + chunk).split('\0');
    this.#rest = messages.pop() ?? '';
    for (const message of messages) this.#take(JSON.parse(message));
  }

  #take({ id, method, params = {}, result = {}, error, sessionId = '' }: Reply): void {
    if (method !== undefined) this.events(sessionId).emit(method, params);
    if (id === undefined) return;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result);
  }
}
