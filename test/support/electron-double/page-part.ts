/**
 * Functions that run in a page, passed as source text: neither may use anything outside itself. `preloadWorld` runs in an
 * isolated world of the page, as a sandboxed preload does; `pageWorld` runs in the page.
 */

type Bridge = Record<string, (...args: unknown[]) => unknown>;
/** Runs the preload's text with the variables of a Node module. */
export type Preload = (
  require: (name: string) => unknown,
  module: { exports: object },
  exports: object,
) => void;
type Listener = (event: { ports: readonly MessagePort[] }, ...args: unknown[]) => void;

/** Messages from the preload's world to the main process. */
export type UpMessage =
  | { is: 'send'; channel: string; args: unknown[] }
  | { is: 'port message'; link: number; data: unknown }
  | { is: 'port close'; link: number };
/** Messages from the main process to the preload's world. */
export type DownMessage =
  | { is: 'send'; channel: string; args: unknown[]; links: number[] }
  | { is: 'port message'; link: number; data: unknown }
  | { is: 'port close'; link: number };

export function preloadWorld(preload: Preload, up: (json: string) => void): (json: string) => void {
  const send = (message: UpMessage) => up(JSON.stringify(message));
  const listeners = new Map<string, Set<Listener>>();
  const links = new Map<number, MessagePort>();
  const exposed = new Map<string, Bridge>();

  /** Throws on values that Electron loses or refuses on the way. */
  function plain(value: unknown): unknown {
    if (value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value)) return value;
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value === 'object' && Object.getPrototypeOf(value)?.constructor?.name === 'Object') {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
    }
    throw new TypeError('An object could not be cloned.');
  }

  function openLink(link: number): MessagePort {
    const { port1, port2 } = new MessageChannel();
    links.set(link, port1);
    port1.addEventListener('message', ({ data }) => {
      try {
        send({ is: 'port message', link, data: plain(data) });
      } catch {
        // As in Electron, a value that cannot be cloned closes the port.
        port1.close();
        send({ is: 'port close', link });
      }
    });
    port1.addEventListener('close', () => {
      if (links.delete(link)) send({ is: 'port close', link });
    });
    port1.start();
    return port2;
  }

  const announce = (key: string, bridge: Bridge) => {
    const detail = JSON.stringify({ key, names: Object.keys(bridge) });
    window.dispatchEvent(new CustomEvent('electron-double:expose', { detail }));
  };
  // The two worlds start in either order.
  window.addEventListener('electron-double:page-ready', () => {
    for (const [key, bridge] of exposed) announce(key, bridge);
  });
  window.addEventListener('electron-double:call', event => {
    if (!(event instanceof CustomEvent)) return;
    const { key, name, args } = JSON.parse(event.detail);
    let detail: string;
    try {
      detail = JSON.stringify({ value: plain(exposed.get(key)?.[name]?.(...args)) });
    } catch (error) {
      detail = JSON.stringify({ error: String(error) });
    }
    window.dispatchEvent(new CustomEvent('electron-double:return', { detail }));
  });

  const electron = {
    contextBridge: {
      exposeInMainWorld(key: string, bridge: Bridge): void {
        if (Object.values(bridge).some(member => typeof member !== 'function')) {
          throw new Error('the Electron double bridges functions only');
        }
        exposed.set(key, bridge);
        announce(key, bridge);
      },
    },
    ipcRenderer: {
      send: (channel: string, ...args: unknown[]) => send({ is: 'send', channel, args: args.map(plain) }),
      on(channel: string, listener: Listener): void {
        listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener));
      },
    },
  };
  /** `require` of a sandboxed preload. */
  const require = (name: string) => {
    if (name === 'electron') return electron;
    throw new Error(`module not found: ${name}`);
  };
  preload(require, { exports: {} }, {});

  return json => {
    const message: DownMessage = JSON.parse(json);
    if (message.is === 'send') {
      const ports = message.links.map(openLink);
      for (const listener of listeners.get(message.channel) ?? []) listener({ ports }, ...message.args);
    } else if (message.is === 'port message') {
      links.get(message.link)?.postMessage(message.data);
    } else {
      const port = links.get(message.link);
      links.delete(message.link);
      port?.close();
    }
  };
}

export function pageWorld(): void {
  const known = new Set<string>();
  window.addEventListener('electron-double:expose', event => {
    if (!(event instanceof CustomEvent)) return;
    const { key, names }: { key: string; names: string[] } = JSON.parse(event.detail);
    if (known.has(key)) return;
    known.add(key);
    const call =
      (name: string) =>
      (...args: unknown[]) => {
        let answer: { value?: unknown; error?: string } = {};
        const hear = (back: Event) => {
          if (back instanceof CustomEvent) answer = JSON.parse(back.detail);
        };
        window.addEventListener('electron-double:return', hear, { once: true });
        const detail = JSON.stringify({ key, name, args });
        window.dispatchEvent(new CustomEvent('electron-double:call', { detail }));
        if (answer.error !== undefined) throw new Error(answer.error);
        return answer.value;
      };
    const bridge = Object.freeze(Object.fromEntries(names.map(name => [name, call(name)])));
    Object.defineProperty(window, key, { value: bridge, enumerable: true });
  });
  window.dispatchEvent(new CustomEvent('electron-double:page-ready'));
}
