// Finds a Chromium-based browser, for the app window and for the tests.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const PROGRAMS = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
  'brave-browser',
];

const MAC_APPS = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'];

const WINDOWS_PROGRAMS = [
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
  ['Chromium', 'Application', 'chrome.exe'],
];

/** @param {string} path */
function canRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} platform
 */
function candidates(environment, platform) {
  if (platform === 'darwin') {
    return MAC_APPS.map(name => `/Applications/${name}.app/Contents/MacOS/${name}`);
  }
  if (platform === 'win32') {
    const roots = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map(name => environment[name]);
    return WINDOWS_PROGRAMS.flatMap(segments =>
      roots.flatMap(root => (root === undefined ? [] : [join(root, ...segments)])),
    );
  }
  const folders = (environment.PATH ?? '').split(delimiter).filter(folder => folder !== '');
  return PROGRAMS.flatMap(name => [...folders, '/usr/bin', '/snap/bin'].map(folder => join(folder, name)));
}

/**
 * @param {NodeJS.ProcessEnv} [environment] SANDGLASS_CHROMIUM is the path of a browser, which is then the only
 * candidate.
 * @param {string} [platform]
 * @returns {string | undefined}
 */
export function findBrowser(environment = process.env, platform = process.platform) {
  const named = environment.SANDGLASS_CHROMIUM;
  if (named) return canRun(named) ? named : undefined;
  return candidates(environment, platform).find(canRun);
}
