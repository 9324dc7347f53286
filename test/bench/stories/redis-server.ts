import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Starts a Redis, in memory only, with one connection to it. */
export interface RedisServer extends AsyncDisposable {
  readonly client: RedisConnection;
  connect(): Promise<RedisConnection>;
}

export async function startRedis(folder: string): Promise<RedisServer> {
  const port = 20_000 + (process.pid % 20_000);
  const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child: ChildProcess = spawn(
    'redis-server',
    [...words, '--dir', folder, '--enable-debug-command', 'yes'],
    { stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  const open = async (): Promise<RedisConnection> => {
    for (let tries = 0; ; tries += 1) {
      const socket = connect(port, '127.0.0.1');
      try {
        await once(socket, 'connect');
        return new RedisConnection(socket);
      } catch (error) {
        if (tries > 100 || child.exitCode !== null) throw error;
        await new Promise(resolve => setTimeout(resolve, 50));
      }
    }
  };
  const client = await open();
  return {
    client,
    connect: open,
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}

/** Returns `SET key value PXAT at`, encoded: the cheapest client for Redis. */
export function command(...words: readonly (string | number)[]): string {
  let text = `*${words.length}\r\n`;
  for (const word of words) {
    const part = String(word);
    text += `$${Buffer.byteLength(part)}\r\n${part}\r\n`;
  }
  return text;
}

/** Encodes the protocol itself, so that no client library adds to the server's time. */
export class RedisConnection {
  readonly #socket: Socket;
  #text = '';
  #waiting: ((line: string) => void)[] = [];
  /** Called with every line that answers no command. */
  onLine: ((line: string) => void) | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#read(text));
  }

  /** For commands that are not answered by one line each; see `onLine`. */
  post(commands: string): void {
    this.#socket.write(commands);
  }

  /** Sends commands that are answered by one line each; resolves with the last. */
  send(commands: string, answers = 1): Promise<string> {
    return new Promise(resolve => {
      for (let i = 1; i < answers; i += 1) this.#waiting.push(() => {});
      this.#waiting.push(resolve);
      this.#socket.write(commands);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.#text += text;
    let from = 0;
    for (;;) {
      const end = this.#text.indexOf('\r\n', from);
      if (end < 0) break;
      const line = this.#text.slice(from, end);
      from = end + 2;
      if (this.onLine === null) this.#waiting.shift()?.(line);
      else this.onLine(line);
    }
    this.#text = this.#text.slice(from);
  }
}
