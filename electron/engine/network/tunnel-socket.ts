import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

type Done = (error?: Error | null) => void;
interface Chunk {
  chunk: Buffer | string;
  encoding: BufferEncoding;
}

/** A channel of SSH as a connected socket, as the clients of databases need it. */
export class TunnelSocket extends Socket {
  readonly #channel: Duplex;

  constructor(channel: Duplex) {
    super({ allowHalfOpen: true });
    this.#channel = channel;
    channel.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) channel.pause();
    });
    channel.on('end', () => this.push(null));
    channel.on('error', error => this.destroy(error));
    channel.on('close', () => this.destroy());
    channel.pause();
    // An error without a listener would end the thread; `close` follows it.
    this.on('error', () => {});
  }

  /** It is connected already: `pg` connects each socket that it is given. */
  override connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  /** A socket without a handle of the system would wait for `connect` each time. */
  override ref(): this {
    return this;
  }

  override unref(): this {
    return this;
  }

  override _read(): void {
    this.#channel.resume();
  }

  override _write(chunk: Chunk['chunk'], encoding: BufferEncoding, done: Done): void {
    if (this.#channel.writable) this.#channel.write(chunk, encoding, done);
    else done(new Error('The SSH tunnel is closed.'));
  }

  /** A socket leaves strings as they are. */
  override _writev(chunks: Chunk[], done: Done): void {
    const bytes = chunks.map(({ chunk, encoding }) =>
      typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk,
    );
    this._write(Buffer.concat(bytes), 'utf8', done);
  }

  override _final(done: Done): void {
    this.#channel.end();
    done();
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#channel.destroy();
    super._destroy(error, done);
  }
}
