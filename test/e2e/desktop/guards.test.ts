import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import {
  callsOf,
  canStartDesktop,
  type Desktop,
  inTrueElectron,
  startDesktop,
} from '../../support/desktop.ts';

/** An id in the format of the pages. */
const PORT_ID = randomUUID();

test.skip(!canStartDesktop, 'the Electron double needs a POSIX shell');

// In one worker: each worker of these tests would start a desktop of its own.
test.describe.configure({ mode: 'default' });

let desktop: Desktop;
test.beforeAll(async () => {
  desktop = await startDesktop();
});
test.afterAll(() => desktop.stop());

test('the window is sandboxed, isolated and without Node, with every preference set explicitly', async () => {
  test.skip(inTrueElectron, 'asserted by the arguments that reach the double');
  const [[options] = []] = await callsOf(desktop, 'BrowserWindow');
  expect(options).toMatchObject({
    webPreferences: {
      preload: expect.stringMatching(/dist[\\/]node[\\/]preload\.cjs$/),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
    },
  });
  // No other web preference: each one needs a reason.
  expect(Object.keys(Object(Reflect.get(Object(options), 'webPreferences')))).toHaveLength(6);
});

test('the app’s scheme is standard, secure and fetchable, without further privileges', async () => {
  test.skip(inTrueElectron, 'asserted by the arguments that reach the double');
  expect(await callsOf(desktop, 'protocol.registerSchemesAsPrivileged')).toEqual([
    [[{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } }]],
  ]);
});

test('the page has the bridge and no other API of Electron or Node', async () => {
  const seen = await desktop.page.evaluate(() => ({
    bridge: Object.keys(Object(Reflect.get(window, 'sandglass'))),
    node: ['require', 'process', 'module', 'Buffer', 'electron'].filter(name => name in window),
  }));
  expect(seen).toEqual({ bridge: ['askForPort'], node: [] });
});

test('every response has the policy: nothing inline, nothing from other origins', async () => {
  const { page } = desktop;
  const policy = await page.evaluate(
    async () => (await fetch('/index.html')).headers.get('content-security-policy') ?? '',
  );
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("style-src 'self'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  const ran = await page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.inlineRan = true';
    document.body.append(script);
    return 'inlineRan' in window;
  });
  expect(ran).toBe(false);
});

test('only files of the bundle are served, in every notation of an address', async () => {
  const status = await desktop.page.evaluate(
    paths => {
      const ask = async (path: string) => (await fetch(path)).status;
      return Promise.all(paths.map(ask));
    },
    [
      '/index.html',
      '/../node/main.js',
      '/..%2fnode%2fmain.js',
      '/%2e%2e/node/main.js',
      '/assets',
      '/.hidden',
      '/none.js',
      `/chosen/${randomUUID()}`,
    ],
  );
  expect(status).toEqual([200, 404, 404, 404, 404, 404, 404, 404]);
});

test('a page cannot navigate to another origin', async () => {
  const { page } = desktop;
  const home = page.url();
  await page.evaluate(() => location.assign('http://elsewhere.example/'));
  await page.evaluate(() => {
    const link = document.createElement('a');
    link.href = 'http://elsewhere.example/by-a-link';
    document.body.append(link);
    link.click();
  });
  await expect.poll(() => desktop.output()).toContain('elsewhere.example/by-a-link');
  expect(page.url()).toBe(home);
  await expect(page.getByRole('main')).toBeVisible();
});

test('a page cannot open a window', async () => {
  // In a task of its own: `evaluate` would wait for the window that `open` returns, which closes at once. Without an
  // opener the new page has its own process, which does not block this one.
  await desktop.page.evaluate(() => {
    setTimeout(() => window.open('http://elsewhere.example/popup', '_blank', 'noopener'));
  });
  await expect.poll(() => desktop.output()).toContain('elsewhere.example/popup');
  await expect.poll(() => desktop.app.windows().length).toBe(1);
  await expect(desktop.page.getByRole('main')).toBeVisible();
});

test('permissions are refused, except for copying', async () => {
  test.skip(inTrueElectron, 'asked of the handlers that reached the double');
  const answers = await desktop.app.evaluate(({ BrowserWindow }) => {
    const handler = (name: string) =>
      globalThis.electronDouble.calls.find(({ what }) => what === name)?.arguments[0];
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    const elsewhere = { getURL: () => 'http://elsewhere.example/' };
    const request = handler('setPermissionRequestHandler');
    const check = handler('setPermissionCheckHandler');
    if (typeof request !== 'function' || typeof check !== 'function') return ['no handler'];
    const asked: [unknown, string][] = [
      ...['media', 'geolocation', 'notifications', 'clipboard-read', 'openExternal'].map(
        (name): [unknown, string] => [contents, name],
      ),
      [contents, 'clipboard-sanitized-write'],
      [elsewhere, 'clipboard-sanitized-write'],
    ];
    return asked.map(([from, permission]) => {
      let granted: unknown;
      request(from, permission, (answer: unknown) => {
        granted = answer;
      });
      return [granted, check(from, permission)];
    });
  });
  const no = [false, false];
  expect(answers).toEqual([no, no, no, no, no, [true, true], no]);
});

const STRANGERS = {
  'a frame inside the page': { parent: {}, origin: 'app://bundle' },
  'a page of another origin': { parent: null, origin: 'http://elsewhere.example' },
  'a page of an origin with the app’s origin as prefix': { parent: null, origin: 'app://bundle.example' },
};

for (const [who, frame] of Object.entries(STRANGERS)) {
  for (const channel of ['sandglass:engine-port', 'sandglass:file-port']) {
    test(`${who} gets no answer on ${channel}`, async () => {
      const sent = await desktop.app.evaluate(
        ({ ipcMain, BrowserWindow, dialog }, asked) => {
          let answers = 0;
          dialog.showOpenDialog = async () => {
            answers += 1;
            return { canceled: true, filePaths: [] };
          };
          const senderFrame = { ...asked.frame, url: 'told', postMessage: () => (answers += 1) };
          const sender = BrowserWindow.getAllWindows()[0]?.webContents;
          ipcMain.emit(asked.channel, { sender, senderFrame }, asked.id);
          ipcMain.emit(asked.channel, { sender, senderFrame: null }, asked.id);
          return answers;
        },
        { frame, channel, id: randomUUID() },
      );
      expect(sent).toBe(0);
    });
  }
}

test('the app’s page gets no answer to an invalid id', async () => {
  const sent = await desktop.app.evaluate(({ ipcMain, BrowserWindow }) => {
    let answers = 0;
    const senderFrame = { parent: null, origin: 'app://bundle', url: '', postMessage: () => (answers += 1) };
    const sender = BrowserWindow.getAllWindows()[0]?.webContents;
    for (const id of [undefined, 1, {}, 'x', '__proto__']) {
      ipcMain.emit('sandglass:engine-port', { sender, senderFrame }, id);
    }
    return answers;
  });
  expect(sent).toBe(0);
});

test('the app’s page gets a refusal for an unknown connection, and no answer to an invalid id of one', async () => {
  const answers = await desktop.app.evaluate(({ ipcMain, BrowserWindow }, id) => {
    const sender = BrowserWindow.getAllWindows()[0]?.webContents;
    const ask = (connection: unknown) => {
      const told: unknown[] = [];
      const postMessage = (_channel: string, message: unknown) => told.push(message);
      const senderFrame = { parent: null, origin: 'app://bundle', url: '', postMessage };
      ipcMain.emit('sandglass:engine-port', { sender, senderFrame }, id, connection);
      return told;
    };
    return [undefined, 'home', 'c-000000000000', '', '../home', 'c-0', 7, {}, '__proto__'].map(ask);
  }, PORT_ID);
  const nothing: unknown[] = [];
  expect(answers).toEqual([
    [{ sandglassPort: PORT_ID }],
    [{ sandglassPort: PORT_ID }],
    [{ sandglassPort: PORT_ID, refused: 'CONNECTION_NOT_FOUND' }],
    ...Array.from({ length: 6 }, () => nothing),
  ]);
});

test('the page gets the reason where its port is closed because the store is not open', async () => {
  const told = await desktop.page.evaluate(
    ids =>
      Promise.all(
        ids.map(
          ([id, connection]) =>
            new Promise<unknown>(resolve => {
              addEventListener('message', ({ data, ports: [port] }) => {
                if (data.sandglassPort !== id) return;
                port?.addEventListener('close', () => resolve([data.refused, 'closed']));
                port?.start();
                if (data.refused === undefined) resolve([data.refused, 'open']);
              });
              window.sandglass?.askForPort('engine', id, connection);
            }),
        ),
      ),
    [
      [randomUUID(), undefined],
      [randomUUID(), 'home'],
      [randomUUID(), 'c-000000000000'],
    ] as const,
  );
  expect(told).toEqual([
    [undefined, 'open'],
    [undefined, 'open'],
    ['CONNECTION_NOT_FOUND', 'closed'],
  ]);
});
