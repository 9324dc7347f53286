import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { toChromium, toElectron } from './address.ts';
import { type Cdp, type Fields, object, text } from './cdp.ts';
import { DoubleFrame } from './frame.ts';
import { ipcMain } from './ipc.ts';
import { keyEvent } from './keys.ts';
import { pageWorld, preloadWorld, type UpMessage } from './page-part.ts';
import { PortLinks } from './port-links.ts';
import { record } from './record.ts';
import { strict } from './strict.ts';

const WORLD = 'electron-double-preload';

type WindowOpenHandler = (details: { url: string }) => { action: 'allow' | 'deny' };

/** Electron's WebContents over one target of a real Chromium. */
export class DoubleContents extends EventEmitter {
  readonly #links = new PortLinks((context, json) => this.#evaluateIn(context, json));
  readonly #frame = new DoubleFrame(this.#links);
  readonly mainFrame = strict('WebFrameMain', this.#frame);
  readonly #cdp: Cdp;
  #session = '';
  #frameId = '';
  /** A navigation that the app started itself, which needs no permission. */
  #own = '';
  #onWindowOpen: WindowOpenHandler = () => ({ action: 'allow' });
  /** Windows that the page opened. Each is reported twice, in either order: with its address, and with its target. */
  readonly #openedUrls: string[] = [];
  readonly #openedTargets: string[] = [];
  #destroyed = false;
  targetId = '';

  constructor(cdp: Cdp) {
    super();
    this.#cdp = cdp;
  }

  async open(preload: string | undefined, size: { width: number; height: number }): Promise<void> {
    const cdp = this.#cdp;
    const created = await cdp.send('Target.createTarget', { url: 'about:blank', newWindow: true, ...size });
    this.targetId = text(created, 'targetId');
    this.#watchTargets();
    const attached = await cdp.send('Target.attachToTarget', { targetId: this.targetId, flatten: true });
    this.#session = text(attached, 'sessionId');
    this.#listen();
    await this.#send('Page.enable');
    const { frameTree } = await this.#send('Page.getFrameTree');
    this.#frameId = text(object(object({ frameTree }, 'frameTree'), 'frame'), 'id');
    await this.#send('Runtime.enable');
    await this.#send('Runtime.addBinding', { name: 'electronDoubleUp', executionContextName: WORLD });
    await this.#send('Fetch.enable', { patterns: [{ resourceType: 'Document' }] });
    await this.#send('Page.addScriptToEvaluateOnNewDocument', { source: `(${pageWorld})();` });
    if (preload === undefined) return;
    const module = `function (require, module, exports) {${readFileSync(preload, 'utf8')}\n}`;
    const source = `if (window === window.top) globalThis.electronDoubleDown = (${preloadWorld})(${module}, electronDoubleUp);`;
    await this.#send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD });
  }

  async loadURL(address: string): Promise<void> {
    this.#own = toChromium(address);
    const loaded = new Promise<void>(resolve => this.#events().once('Page.loadEventFired', () => resolve()));
    const { errorText } = await this.#send('Page.navigate', { url: this.#own });
    if (errorText !== undefined) throw new Error(`${errorText} loading '${address}'`);
    await loaded;
  }

  reload(): void {
    void this.#send('Page.reload');
  }

  getURL(): string {
    return this.#frame.url;
  }

  sendInputEvent(event: { type: string; keyCode: string; modifiers?: readonly string[] }): void {
    record('sendInputEvent', event);
    void this.#send('Input.dispatchKeyEvent', keyEvent(event));
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    record('setWindowOpenHandler');
    this.#onWindowOpen = handler;
  }

  close(): void {
    void this.#cdp.send('Target.closeTarget', { targetId: this.targetId });
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  #send(method: string, params: Fields = {}): Promise<Fields> {
    return this.#cdp.send(method, params, this.#session);
  }

  #events(): EventEmitter {
    return this.#cdp.events(this.#session);
  }

  #evaluateIn(contextId: number, json: string): void {
    const expression = `electronDoubleDown(${JSON.stringify(json)})`;
    // As in Electron, the page may be closed before it gets this message.
    this.#send('Runtime.evaluate', { expression, contextId }).catch(() => {});
  }

  #watchTargets(): void {
    const browser = this.#cdp.events();
    browser.on('Target.targetDestroyed', (event: Fields) => {
      if (event.targetId !== this.targetId) return;
      this.#destroyed = true;
      this.#links.moveTo(undefined);
      this.emit('destroyed');
    });
    browser.on('Target.targetCreated', (event: Fields) => {
      const info = object(event, 'targetInfo');
      if (info.openerId !== this.targetId) return;
      this.#openedTargets.push(text(info, 'targetId'));
      this.#judgeOpened();
    });
  }

  #listen(): void {
    const events = this.#events();
    events.on('Page.windowOpen', (event: Fields) => {
      this.#openedUrls.push(text(event, 'url'));
      this.#judgeOpened();
    });
    events.on('Page.frameNavigated', (event: Fields) => {
      const frame = object(event, 'frame');
      if (frame.id === this.#frameId) this.#frame.navigated(text(frame, 'url'));
    });
    events.on('Inspector.targetCrashed', () =>
      this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 }),
    );
    events.on('Fetch.requestPaused', (event: Fields) => this.#onNavigation(event));
    events.on('Runtime.executionContextCreated', (event: Fields) => {
      const { id, name, auxData } = object(event, 'context');
      const { frameId } = object({ auxData }, 'auxData');
      if (name === WORLD && frameId === this.#frameId && typeof id === 'number') this.#links.moveTo(id);
    });
    events.on('Runtime.executionContextDestroyed', ({ executionContextId: id }: Fields) => {
      if (typeof id === 'number' && this.#links.isOf(id)) this.#links.moveTo(undefined);
    });
    events.on('Runtime.executionContextsCleared', () => this.#links.moveTo(undefined));
    events.on('Runtime.bindingCalled', ({ payload, executionContextId: id }: Fields) => {
      if (typeof id === 'number' && this.#links.isOf(id)) this.#hear(JSON.parse(String(payload)));
    });
  }

  #hear(message: UpMessage): void {
    if (message.is === 'port message') this.#links.message(message.link, message.data);
    else if (message.is === 'port close') this.#links.closed(message.link);
    else ipcMain.emit(message.channel, { sender: this.self, senderFrame: this.mainFrame }, ...message.args);
  }

  #judgeOpened(): void {
    if (this.#openedUrls.length === 0 || this.#openedTargets.length === 0) return;
    const targetId = this.#openedTargets.shift();
    const { action } = this.#onWindowOpen({ url: toElectron(this.#openedUrls.shift() ?? '') });
    if (action === 'deny') void this.#cdp.send('Target.closeTarget', { targetId });
  }

  #onNavigation({ requestId, request, frameId }: Fields): void {
    const url = text(object({ request }, 'request'), 'url');
    const isMainFrame = frameId === this.#frameId;
    let prevented = false;
    if (isMainFrame && url === this.#own) this.#own = '';
    else {
      const event = { url: toElectron(url), isMainFrame, preventDefault: () => (prevented = true) };
      this.emit('will-frame-navigate', event);
    }
    if (prevented) void this.#send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    else void this.#send('Fetch.continueRequest', { requestId });
  }

  /** The object that the app gets. */
  readonly self: DoubleContents = strict('WebContents', this);
}
