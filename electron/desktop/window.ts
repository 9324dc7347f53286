import { app, BrowserWindow, dialog, nativeTheme, type Rectangle, screen } from 'electron';
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

/** Distance of a new window from the one used last, px. */
const STEP = 24;

/**
 * The windows of the app: each has a page with its own address, tabs and staged edits, and its own ports to the
 * engines. On macOS a window can be opened after the last one was closed.
 */
export class AppWindows {
  readonly #options: WindowOptions;
  /** In the order of their last use, the latest last. */
  readonly #windows = new Set<BrowserWindow>();
  #isClosing = false;

  constructor(options: WindowOptions) {
    this.#options = options;
  }

  /** Brings the window used last to the front; opens one if none is open. */
  show(): void {
    const window = this.#last();
    if (window === undefined) {
      this.open();
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /** Closes all windows. The user can keep a window whose page has unsaved changes. Returns whether any was open. */
  close(): boolean {
    const windows = [...this.#windows];
    this.#isClosing = true;
    for (const window of windows) window.close();
    return windows.length > 0;
  }

  /** True from a call of `close` on, unless the user kept a window. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  #last(): BrowserWindow | undefined {
    return [...this.#windows].at(-1);
  }

  /** Returns the bounds of a new window: those of the last session, or beside the window used last. */
  #bounds(stored: Rectangle | undefined): Partial<Rectangle> {
    const last = this.#last()?.getNormalBounds();
    const bounds = last === undefined ? stored : { ...last, x: last.x + STEP, y: last.y + STEP };
    const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
    return bounds !== undefined && isOnScreen(bounds, areas) ? bounds : {};
  }

  /** Opens a window, in addition to those that are open. */
  open(): void {
    const { preload, stateFile } = this.#options;
    const stored = readWindowState(stateFile);
    const isFirst = this.#windows.size === 0;
    const window = new BrowserWindow({
      width: 1280,
      height: 800,
      ...this.#bounds(stored?.bounds),
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
    this.#windows.add(window);
    if (isFirst && stored?.maximized) window.maximize();
    window.once('ready-to-show', () => window.show());
    window.on('close', () => this.#saveState(window));
    window.on('closed', () => this.#windows.delete(window));
    window.on('focus', () => {
      this.#windows.delete(window);
      this.#windows.add(window);
    });
    window.webContents.on('will-prevent-unload', event => {
      if (mayLeave(window)) event.preventDefault();
      else this.#isClosing = false;
    });
    window.webContents.on('render-process-gone', (_event, { reason }) => this.#reload(window, reason));
    window.webContents.on('console-message', ({ level, message }) => {
      if (level === 'error') this.#options.log.error('the page logged an error', { message });
    });
    // Fails only if the window is closed meanwhile or the build is broken.
    window
      .loadURL(APP_PAGE)
      .catch(error => this.#options.log.error('the page did not load', errorFields(error)));
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

/** Requests confirmation before a page with unsaved changes is closed or reloaded. Returns whether it may be. */
function mayLeave(window: BrowserWindow): boolean {
  const leave = dialog.showMessageBoxSync(window, {
    type: 'question',
    message: 'Discard unsaved changes?',
    detail: 'Staged edits and unsaved text of production connections are not kept.',
    buttons: ['Stay', 'Discard'],
    defaultId: 0,
    cancelId: 0,
  });
  return leave === 1;
}

/** Quits the app with its last window, except on macOS, where the dock's icon opens one again. */
export function quitWithLastWindow(windows: AppWindows): void {
  app.on('window-all-closed', () => {
    if (windows.isClosing || process.platform !== 'darwin') app.quit();
  });
  app.on('activate', () => windows.show());
}
