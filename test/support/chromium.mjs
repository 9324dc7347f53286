// The Chromium of the end-to-end tests: named, found, or installed after a message.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '../../electron/start/browsers.mjs';

const BINARIES = [
  ['chrome-linux64', 'chrome'],
  ['chrome-linux', 'chrome'],
  ['chrome-win64', 'chrome.exe'],
  ['chrome-win', 'chrome.exe'],
  ['chrome-mac-arm64', 'Google Chrome for Testing.app', 'Contents', 'MacOS', 'Google Chrome for Testing'],
  ['chrome-mac-x64', 'Google Chrome for Testing.app', 'Contents', 'MacOS', 'Google Chrome for Testing'],
  ['chrome-mac', 'Chromium.app', 'Contents', 'MacOS', 'Chromium'],
];

/** @returns {string} Where Playwright keeps the browsers it has fetched. */
function playwrightCache() {
  if (process.env.PLAYWRIGHT_BROWSERS_PATH) return process.env.PLAYWRIGHT_BROWSERS_PATH;
  if (process.platform === 'win32') return join(process.env.LOCALAPPDATA ?? homedir(), 'ms-playwright');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'ms-playwright');
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'ms-playwright');
}

/** @returns {string | undefined} */
function findPlaywrights() {
  const cache = playwrightCache();
  if (!existsSync(cache)) return undefined;
  return readdirSync(cache)
    .filter(name => /^chromium-[0-9]+$/.test(name))
    .sort((a, b) => Number(b.slice(9)) - Number(a.slice(9)))
    .flatMap(name => BINARIES.map(words => join(cache, name, ...words)))
    .find(path => existsSync(path));
}

/** @returns {string | undefined} */
export function findChromium() {
  return findBrowser() ?? (process.env.SANDGLASS_CHROMIUM ? undefined : findPlaywrights());
}

/**
 * @param {string} root
 * @param {string} node
 * @returns {string | undefined} A Chromium, after trying to install one where there was none.
 */
export function findOrInstallChromium(root, node) {
  const found = findChromium();
  if (found !== undefined || process.env.SANDGLASS_CHROMIUM) return found;
  const apt = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (apt) {
    console.log('There is no Chromium here for the window’s tests; installing the Debian package …');
    const words = ['install', '-y', '--no-install-recommends', 'chromium'];
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const installs = () =>
      spawnSync('apt-get', words, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0;
    if (!installs()) {
      // The package lists of a fresh container are empty.
      spawnSync('apt-get', ['update'], { stdio: ['ignore', 'ignore', 'inherit'] });
      installs();
    }
  }
  if (findChromium() === undefined) {
    console.log('There is no Chromium here for the window’s tests; fetching Playwright’s …');
    spawnSync(node, [join(root, 'node_modules', 'playwright', 'cli.js'), 'install', 'chromium'], {
      stdio: 'inherit',
    });
  }
  return findChromium();
}
