/**
 * The double's main process. Takes the arguments of Electron's binary: `-r FILE`, switches, the app's entry, the app's
 * arguments. Prints the lines that Playwright waits for in the order that it needs.
 */
import { open as openInspector } from 'node:inspector';
import { createRequire, registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import './record.ts';

const words = process.argv.slice(2);
const loaders: string[] = [];
const switches: string[] = [];
let entry: string | undefined;
for (let at = 0; at < words.length && entry === undefined; at += 1) {
  const word = words[at] ?? '';
  if (word === '-r') loaders.push(words[++at] ?? '');
  else if (word.startsWith('-')) switches.push(word);
  else entry = word;
}
if (entry === undefined) throw new Error('the Electron double needs the entry of an app');
process.argv.splice(1, 1);

const electronModule = new URL('./electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: electronModule, shortCircuit: true } : next(specifier, context),
});
process.on('worker', worker => globalThis.electronDouble.workers.push(worker));
process.on('SIGTERM', () => app.quit());
process.on('SIGINT', () => app.quit());

// Imported here, so that there is one copy of each module.
const { app } = await import('./app.ts');
const { serveProtocol } = await import('./bundle-server.ts');
const { startChromium } = await import('./chromium.ts');
const parts = await import('./parts.ts');
const { BrowserWindow, windowsOpenIn } = await import('./window.ts');

// Before the debugger's lines are printed: Playwright sends commands as soon as it has read them, and these need the
// loaders.
for (const loader of loaders) createRequire(import.meta.url)(loader);
if (switches.some(word => word.startsWith('--inspect'))) openInspector(0);

// As in Electron, the app is not ready before its entry has been evaluated.
await import(pathToFileURL(resolve(entry)).href);
const chromium = await startChromium({
  userData: app.getPath('userData'),
  bundlePort: await serveProtocol(() => parts.protocolHandler),
  switches: [...app.switches, ...switches.filter(word => word.startsWith('--remote-debugging-port'))],
});
await chromium.cdp.send('Target.setDiscoverTargets', { discover: true });
windowsOpenIn(chromium.cdp);
app.endChromium = chromium.close;
app.closeWindows = () => {
  for (const window of BrowserWindow.getAllWindows()) window.emit('close', { preventDefault: () => {} });
};
app.becomeReady();
