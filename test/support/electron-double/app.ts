import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { record } from './record.ts';
import { strict } from './strict.ts';

/** Electron's `app`: its `ready` event, and its events in their order at the end. */
class DoubleApp extends EventEmitter {
  readonly isPackaged = false;
  readonly switches: string[] = [];
  readonly commandLine = {
    appendSwitch: (name: string, value = '') => {
      this.switches.push(value === '' ? `--${name}` : `--${name}=${value}`);
    },
  };
  readonly #ready = Promise.withResolvers<void>();
  readonly #paths = new Map([['userData', join(tmpdir(), `electron-double-${process.pid}`)]]);
  /** Ends Chromium; set once it is started. */
  endChromium: () => Promise<void> = async () => {};
  closeWindows: () => void = () => {};
  #quitting = false;

  whenReady(): Promise<void> {
    return this.#ready.promise;
  }
  isReady(): boolean {
    return false;
  }
  becomeReady(): void {
    this.emit('ready', {}, {});
    this.#ready.resolve();
  }

  setPath(name: string, path: string): void {
    record('app.setPath', name, path);
    if (!existsSync(path)) throw new Error(`Failed to set path '${name}': there is no ${path}`);
    this.#paths.set(name, path);
  }
  getPath(name: string): string {
    const path = this.#paths.get(name);
    if (path === undefined) throw new Error(`the Electron double has no path ${name}`);
    return path;
  }

  /** Electron's lock is the system's; here the environment sets its answer. */
  requestSingleInstanceLock(): boolean {
    record('app.requestSingleInstanceLock');
    return process.env.ELECTRON_DOUBLE_IS_SECOND === undefined;
  }

  quit(): void {
    let prevented = false;
    this.emit('before-quit', { preventDefault: () => (prevented = true) });
    if (prevented || this.#quitting) return;
    this.#quitting = true;
    this.closeWindows();
    this.emit('will-quit', { preventDefault: () => {} });
    this.emit('quit', {}, 0);
    void this.exit(0);
  }
  async exit(code = 0): Promise<void> {
    await this.endChromium();
    process.exit(code);
  }

  windowClosed(left: number): void {
    if (left > 0 || this.#quitting) return;
    if (this.listenerCount('window-all-closed') === 0) this.quit();
    else this.emit('window-all-closed');
  }
}

export const app = strict('app', new DoubleApp());
