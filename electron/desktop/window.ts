import { app, BrowserWindow, nativeTheme, screen } from 'electron';
import { errorFields, type Logger } from '../engine/platform/logger.ts';
import { APP_PAGE } from './origin.ts';
import { isOnScreen, readWindowState, writeWindowState } from './window-state.ts';

/** The page's own paper in both themes, so that nothing flashes before it paints. */
const PAPER = { light: '#f8f7f4', dark: '#161615' };

interface WindowOptions {
  preload: string;
  stateFile: string;
  log: Logger;
}

/** The app's one window: opened, brought to the front, opened again on a Mac after it was closed. */
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
    const kept = readWindowState(stateFile);
    const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
    const window = new BrowserWindow({
      width: 1280,
      height: 800,
      ...(kept !== undefined && isOnScreen(kept.bounds, areas) ? kept.bounds : {}),
      minWidth: 720,
      minHeight: 480,
      title: 'Sandglass',
      show: false,
      backgroundColor: nativeTheme.shouldUseDarkColors ? PAPER.dark : PAPER.light,
      webPreferences: {
        preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
        spellcheck: false,
      },
    });
    if (kept?.maximized) window.maximize();
    window.once('ready-to-show', () => window.show());
    window.on('close', () => this.#remember(window));
    window.on('closed', () => {
      this.#window = undefined;
    });
    window.webContents.on('render-process-gone', (_event, { reason }) => this.#reload(window, reason));
    // It fails only where the window is closed meanwhile, or the build is broken: then the log tells.
    window
      .loadURL(APP_PAGE)
      .catch(error => this.#options.log.error('the page did not load', errorFields(error)));
    return window;
  }

  #remember(window: BrowserWindow): void {
    try {
      const state = { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
      writeWindowState(this.#options.stateFile, state);
    } catch (error) {
      this.#options.log.warn('the window’s place could not be kept', errorFields(error));
    }
  }

  /** The engine lives on in its thread, so a page that crashed only has to be shown again. */
  #reload(window: BrowserWindow, reason: string): void {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    this.#options.log.error('the page crashed; loading it again', { reason });
    window.reload();
  }
}

/** Closing the window ends the app, but on a Mac, where the dock's icon opens it again. */
export function endWithTheWindow(window: MainWindow): void {
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('activate', () => window.show());
}
