// The Chromium of the end-to-end tests: named, found, or installed after a message.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findBrowser } from '../../electron/start/browsers.mjs';

/** Folders of Playwright's cache, best first, and the program within each. */
const PLAYWRIGHTS = [
  {
    folder: /^chromium_headless_shell-([0-9]+)$/,
    programs: [
      ['chrome-headless-shell-linux64', 'chrome-headless-shell'],
      ['chrome-linux', 'headless_shell'],
      ['chrome-headless-shell-win64', 'chrome-headless-shell.exe'],
      ['chrome-headless-shell-mac-arm64', 'chrome-headless-shell'],
      ['chrome-headless-shell-mac-x64', 'chrome-headless-shell'],
    ],
  },
  {
    folder: /^chromium-([0-9]+)$/,
    programs: [
      ['chrome-linux64', 'chrome'],
      ['chrome-linux', 'chrome'],
      ['chrome-win64', 'chrome.exe'],
      ['chrome-mac-arm64', 'Google Chrome for Testing.app', 'Contents', 'MacOS', 'Google Chrome for Testing'],
      ['chrome-mac-x64', 'Google Chrome for Testing.app', 'Contents', 'MacOS', 'Google Chrome for Testing'],
      ['chrome-mac', 'Chromium.app', 'Contents', 'MacOS', 'Chromium'],
    ],
  },
];

/** Chromium without its window's code: the window's tests take a seventh less CPU in it. */
const HEADLESS_SHELL = 'chromium-headless-shell';

/** @returns {string} Where Playwright keeps the browsers it has fetched. */
function playwrightCache() {
  if (process.env.PLAYWRIGHT_BROWSERS_PATH) return process.env.PLAYWRIGHT_BROWSERS_PATH;
  if (process.platform === 'win32') return join(process.env.LOCALAPPDATA ?? homedir(), 'ms-playwright');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'ms-playwright');
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'ms-playwright');
}

/**
 * @param {boolean} headed
 * @returns {string | undefined}
 */
function findPlaywrights(headed) {
  const cache = playwrightCache();
  if (!existsSync(cache)) return undefined;
  const names = readdirSync(cache);
  return PLAYWRIGHTS.slice(headed ? 1 : 0)
    .flatMap(({ folder, programs }) =>
      names
        .map(name => folder.exec(name))
        .filter(match => match !== null)
        .sort((a, b) => Number(b[1]) - Number(a[1]))
        .flatMap(([name]) => programs.map(words => join(cache, name, ...words))),
    )
    .find(path => existsSync(path));
}

/** @returns {string | undefined} */
function findHeadlessShell() {
  if (process.platform !== 'linux') return undefined;
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map(folder => join(folder, HEADLESS_SHELL))
    .find(path => existsSync(path));
}

/**
 * @param {{ headed?: boolean }} [options] `headed`: a Chromium that can show its window.
 * @returns {string | undefined}
 */
export function findChromium({ headed = false } = {}) {
  if (process.env.SANDGLASS_CHROMIUM) return findBrowser();
  return (headed ? undefined : findHeadlessShell()) ?? findBrowser() ?? findPlaywrights(headed);
}

/**
 * Returns whether the Debian package was installed. Removes no package for it.
 * @param {string} name
 * @param {{ update: boolean }} options `update`: fetches the package lists if the package is in none.
 */
function installPackage(name, { update }) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return false;
  console.log(`Installing the Debian package ${name} for the window’s tests …`);
  const words = [
    '-o',
    'Acquire::http::Timeout=20',
    'install',
    '-y',
    '--no-remove',
    '--no-install-recommends',
    name,
  ];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const installs = () => spawnSync('apt-get', words, { stdio: 'ignore', env }).status === 0;
  if (installs()) return true;
  // The package lists of a fresh container are empty.
  return update && spawnSync('apt-get', ['update'], { stdio: 'ignore' }).status === 0 && installs();
}

/**
 * @param {string} root
 * @param {string} node
 * @param {{ headed?: boolean }} [options]
 * @returns {string | undefined} A Chromium, after trying to install one where there was none.
 */
export function findOrInstallChromium(root, node, { headed = false } = {}) {
  const found = findChromium({ headed });
  if (process.env.SANDGLASS_CHROMIUM) return found;
  // A machine with another Chromium is asked once, without a download of the package lists.
  if (!headed && findHeadlessShell() === undefined) {
    installPackage(HEADLESS_SHELL, { update: found === undefined });
  }
  if (findChromium({ headed }) === undefined) installPackage('chromium', { update: headed });
  if (findChromium({ headed }) === undefined) {
    console.log('There is no Chromium here for the window’s tests; fetching Playwright’s …');
    spawnSync(node, [join(root, 'node_modules', 'playwright', 'cli.js'), 'install', 'chromium'], {
      stdio: 'inherit',
    });
  }
  return findChromium({ headed });
}
