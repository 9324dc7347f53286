import { originOf, toElectron } from './address.ts';
import type { PortLinks } from './port-links.ts';
import { DoublePort } from './ports.ts';

/** A page's main frame, the only frame of the double. */
export class DoubleFrame {
  readonly parent = null;
  readonly #links: PortLinks;
  url = 'about:blank';

  constructor(links: PortLinks) {
    this.#links = links;
  }

  get origin(): string {
    return originOf(this.url);
  }

  navigated(address: string): void {
    this.url = toElectron(address);
  }

  postMessage(channel: string, message: unknown, transfer: readonly unknown[] = []): void {
    const links = transfer.map(port => {
      if (!(port instanceof DoublePort)) throw new Error('only a MessagePortMain can be sent to a page');
      return this.#links.open(port);
    });
    this.#links.send({ is: 'send', channel, args: [message], links });
  }
}
