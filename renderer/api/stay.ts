import type { Connection } from './transport.ts';

/**
 * The window's stay with one connection: from going there until going elsewhere, over as many lines as break meanwhile.
 * What was begun in a stay ends with it: an answer that comes later is nobody's, and nothing of it reaches the next.
 */
export class Stay {
  readonly connection: string;
  /** Null while there is none. */
  line: Connection | null = null;
  #isOver = false;
  #wake: () => void = () => {};

  constructor(connection: string) {
    this.connection = connection;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  leave(): void {
    this.#isOver = true;
    const { line } = this;
    this.line = null;
    line?.close();
    this.#wake();
  }

  /** Waits, less if it is woken. */
  pause(ms: number): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    return new Promise(resolve => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Do not wait for the next attempt. */
  wake(): void {
    this.#wake();
  }
}
