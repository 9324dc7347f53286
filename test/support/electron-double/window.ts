import { EventEmitter } from 'node:events';
import { app } from './app.ts';
import type { Cdp } from './cdp.ts';
import { DoubleContents } from './contents.ts';
import { record } from './record.ts';
import { strict } from './strict.ts';

interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

type WindowOptions = Partial<Bounds> & { webPreferences?: { preload?: string } };

const windows = new Set<DoubleWindow>();
let browser: Cdp | undefined;

/** Allows windows to open. */
export function windowsOpenIn(cdp: Cdp): void {
  browser = cdp;
}

export function contentsOf(targetId: string): DoubleContents | undefined {
  return [...windows].find(({ webContents }) => webContents.targetId === targetId)?.webContents;
}

class DoubleWindow extends EventEmitter {
  readonly webContents: DoubleContents;
  readonly #contents: DoubleContents;
  readonly #opened: Promise<void>;
  readonly #bounds: Bounds;
  readonly #self: DoubleWindow;
  #maximized = false;

  constructor(options: WindowOptions = {}) {
    super();
    if (browser === undefined) throw new Error('a window before the app is ready');
    record('BrowserWindow', options);
    const { x = 0, y = 0, width = 800, height = 600, webPreferences = {} } = options;
    this.#bounds = { x, y, width, height };
    this.#contents = new DoubleContents(browser);
    this.webContents = this.#contents.self;
    this.#self = strict('BrowserWindow', this);
    windows.add(this.#self);
    app.emit('web-contents-created', {}, this.webContents);
    this.#contents.once('destroyed', () => {
      windows.delete(this.#self);
      this.emit('closed');
      app.windowClosed(windows.size);
    });
    this.#opened = this.#contents.open(webPreferences.preload, { width, height });
    // biome-ignore lint/correctness/noConstructorReturn: whatever the app does not find here must be loud
    return this.#self;
  }

  static getAllWindows(): DoubleWindow[] {
    return [...windows];
  }
  /** Focus, set by a test: `BrowserWindow.isInFront = false`. */
  static isInFront = true;
  static getFocusedWindow(): DoubleWindow | null {
    return DoubleWindow.isInFront ? ([...windows].at(-1) ?? null) : null;
  }
  static fromWebContents(contents: unknown): DoubleWindow | null {
    return [...windows].find(window => window.webContents === contents) ?? null;
  }

  async loadURL(address: string): Promise<void> {
    record('loadURL', address);
    await this.#opened;
    await this.#contents.loadURL(address);
    this.emit('ready-to-show');
  }
  reload(): void {
    this.#contents.reload();
  }
  close(): void {
    let prevented = false;
    this.emit('close', { preventDefault: () => (prevented = true) });
    if (!prevented) this.#contents.close();
  }

  show(): void {
    record('show');
  }
  focus(): void {
    record('focus');
  }
  isMinimized(): boolean {
    return false;
  }
  maximize(): void {
    record('maximize');
    this.#maximized = true;
  }
  isMaximized(): boolean {
    return this.#maximized;
  }
  isDestroyed(): boolean {
    return this.#contents.isDestroyed();
  }
  getNormalBounds(): Bounds {
    return { ...this.#bounds };
  }
}

export const BrowserWindow = new Proxy(DoubleWindow, {
  get(target, key) {
    if (!(key in target) && typeof key === 'string' && key !== 'then' && key !== 'toJSON') {
      throw new Error(`the Electron double has no BrowserWindow.${key}`);
    }
    return Reflect.get(target, key);
  },
});
