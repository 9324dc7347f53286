import type { Transport } from './transport.ts';

/** A session with one connection, over any number of interruptions. Answers that arrive after its end are discarded. */
export class StoreSession {
  readonly connection: string;
  /** Null while disconnected. */
  transport: Transport | null = null;
  #hasEnded = false;
  #wake: () => void = () => {};

  constructor(connection: string) {
    this.connection = connection;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  end(): void {
    this.#hasEnded = true;
    const { transport } = this;
    this.transport = null;
    transport?.close();
    this.#wake();
  }

  /** Waits `ms`, or until woken. */
  pause(ms: number): Promise<void> {
    if (this.#hasEnded) return Promise.resolve();
    return new Promise(resolve => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Ends the current wait. */
  wake(): void {
    this.#wake();
  }
}
