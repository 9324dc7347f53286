import type { Connection } from './transport.ts';

/** A session with one connection, over any number of interruptions. Answers that arrive after its end are discarded. */
export class Stay {
  readonly connection: string;
  /** Null while disconnected. */
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

  /** Waits `ms`, or until woken. */
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

  /** Ends the current wait. */
  wake(): void {
    this.#wake();
  }
}
