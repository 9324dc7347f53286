import type { DownMessage } from './page-part.ts';
import type { DoublePort } from './ports.ts';

/** The ports that reach into a page, by number. They close with their page. */
export class PortLinks {
  readonly #send: (context: number, json: string) => void;
  readonly #twins = new Map<number, DoublePort>();
  #context: number | undefined;
  #next = 1;

  constructor(send: (context: number, json: string) => void) {
    this.#send = send;
  }

  /** Sets the page: `context` is its preload's world; undefined if there is none. */
  moveTo(context: number | undefined): void {
    this.#context = context;
    const twins = [...this.#twins.values()];
    this.#twins.clear();
    for (const twin of twins) twin.peerClosed();
  }

  isOf(context: number): boolean {
    return this.#context === context;
  }

  send(message: DownMessage): void {
    if (this.#context !== undefined) this.#send(this.#context, JSON.stringify(message));
  }

  /** Sends a port into the page. Returns its number there. */
  open(port: DoublePort): number {
    const link = this.#next++;
    port.transferTo(twin => {
      this.#twins.set(link, twin);
      return {
        // After the message that carries the port, which is sent at the end of this turn.
        message: data => queueMicrotask(() => this.send({ is: 'port message', link, data })),
        close: () => {
          this.#twins.delete(link);
          queueMicrotask(() => this.send({ is: 'port close', link }));
        },
      };
    });
    return link;
  }

  message(link: number, data: unknown): void {
    this.#twins.get(link)?.receive(data);
  }

  closed(link: number): void {
    const twin = this.#twins.get(link);
    this.#twins.delete(link);
    twin?.peerClosed();
  }
}
