import { app, BrowserWindow, nativeTheme, screen } from 'electron';
import { errorFields, type Logger } from '../engine/platform/logger.ts';
import { APP_PAGE } from './origin.ts';
import { isOnScreen, readWindowState, writeWindowState } from './window-state.ts';

/** Background of the page in both themes, to avoid a flash before it paints. */
const BACKGROUND = { light: '#f8f7f4', dark: '#161615' };

interface WindowOptions {
  preload: string;
  stateFile: string;
  log: Logger;
}

/** The only window of the app. On macOS it can be opened again after it was closed. */
export class MainWindow {
  readonly #options: WindowOptions;
  #window: BrowserWindow | undefined;

  constructor(options: WindowOptions) {
    this.#options = options;
  }

  /** Opens the window, or brings it to the front where it is open. */
  show(): void {
    if (this.#window === undefined) {
      this.#window = this.#open();
      return;
    }
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.show();
    this.#window.focus();
  }

  #open(): BrowserWindow {
    const { preload, stateFile } = this.#options;
    const stored = readWindowState(stateFile);
    const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
    const window = new BrowserWindow({
      width: 1280,
      height: 800,
      ...(stored !== undefined && isOnScreen(stored.bounds, areas) ? stored.bounds : {}),
      minWidth: 720,
      minHeight: 480,
      title: 'Sandglass',
      show: false,
      backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
      webPreferences: {
        preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
        spellcheck: false,
      },
    });
    if (stored?.maximized) window.maximize();
    window.once('ready-to-show', () => window.show());
    window.on('close', () => this.#saveState(window));
    window.on('closed', () => {
      this.#window = undefined;
    });
    window.webContents.on('render-process-gone', (_event, { reason }) => this.#reload(window, reason));
    window.webContents.on('console-message', ({ level, message }) => {
      if (level === 'error') this.#options.log.error('the page logged an error', { message });
    });
    // Fails only where the window is closed meanwhile or the build is broken.
    window
      .loadURL(APP_PAGE)
      .catch(error => this.#options.log.error('the page did not load', errorFields(error)));
    return window;
  }

  #saveState(window: BrowserWindow): void {
    try {
      const state = { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
      writeWindowState(this.#options.stateFile, state);
    } catch (error) {
      this.#options.log.warn('the window’s position could not be saved', errorFields(error));
    }
  }

  /** The engine runs on in its thread, so reloading a crashed page is enough. */
  #reload(window: BrowserWindow, reason: string): void {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    this.#options.log.error('the page crashed; loading it again', { reason });
    window.reload();
  }
}

/** Quits the app with its window, except on macOS, where the dock's icon opens the window again. */
export function quitWithWindow(window: MainWindow): void {
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('activate', () => window.show());
}
