import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { extractAll } from '@electron/asar';
import { expect, test } from '@playwright/test';
import { getConfig, validateConfiguration } from 'app-builder-lib/out/util/config/config.js';
import { DebugLogger } from 'builder-util';
import { Arch, Platform } from 'electron-builder';
import { makeFolder, startDesktop } from '../../support/desktop.ts';
import { pack } from '../../support/pack.ts';

const root = join(import.meta.dirname, '../../..');
const built = join(root, 'dist/node');

test('electron-builder accepts its configuration, and refuses an invalid one', async () => {
  const config = await getConfig(root, 'electron-builder.yml', null);
  await validateConfiguration(config, new DebugLogger(false));
  expect(config.linux?.target).toEqual(['AppImage', 'deb']);
  expect(config.mac?.target).toEqual([{ target: 'dmg', arch: ['x64', 'arm64'] }]);
  expect(config.win?.target).toBe('nsis');
  // electron-builder's default is --no-sandbox; and on macOS a binary needs a new signature after its fuses were set.
  expect(config.appImage?.executableArgs).toEqual([]);
  expect(config.electronFuses?.resetAdHocDarwinSignature).toBe(true);
  const wrong = validateConfiguration({ ...config, ...{ asarr: true } }, new DebugLogger(false));
  await expect(wrong).rejects.toThrow(/asarr/);
});

/** Returns the files of dist/node that the desktop can load: its entries, and the files that they name. */
async function reached(): Promise<string[]> {
  const known = new Set(await readdir(built));
  const found = new Set(['main.js', 'preload.cjs']);
  for (const file of found) {
    const source = await readFile(join(built, file), 'utf8');
    for (const [, named = ''] of source.matchAll(/["'`]\.{1,2}\/(?:[\w-]+\/)*([\w.-]+)["'`]/g)) {
      // Threads are named by their sources, which the build puts beside each other.
      const name = named.replace(/\.ts$/, '.js');
      if (known.has(name)) found.add(name);
    }
  }
  return [...found].map(name => `dist/node/${name}`);
}

const TARGETS = [
  { name: 'Linux x64', platform: Platform.LINUX, arch: Arch.x64, prebuild: 'linux-x64' },
  { name: 'Linux arm64', platform: Platform.LINUX, arch: Arch.arm64, prebuild: 'linux-arm64' },
  { name: 'Windows x64', platform: Platform.WINDOWS, arch: Arch.x64, prebuild: 'win32-x64' },
];

for (const { name, platform, arch, prebuild } of TARGETS) {
  test(`for ${name} only loaded files are packed, with one native prebuild`, async () => {
    const folder = await makeFolder();
    const { archived, unpacked } = await pack(platform, arch, folder);
    const native = `node_modules/better-sqlite3/prebuilds/${prebuild}.node`;
    expect(archived.filter(path => path.endsWith('.node'))).toEqual([native]);
    expect(unpacked).toContain(native);
    expect(archived.filter(path => path.startsWith('dist/node/'))).toEqual((await reached()).sort());
    const page = await readdir(join(root, 'dist/renderer'), { recursive: true, withFileTypes: true });
    expect(archived.filter(path => path.startsWith('dist/renderer/'))).toHaveLength(
      page.filter(entry => entry.isFile() && !entry.name.endsWith('.map')).length,
    );
    const rest = archived.filter(path => !path.startsWith('dist/') && path !== native);
    const library = /^node_modules\/better-sqlite3\/(LICENSE|package\.json|lib\/.+\.js)$/;
    expect(rest.filter(path => !library.test(path))).toEqual(['package.json']);
    await rm(folder, { recursive: true });
  });
}

test('the packed files are enough to run', async () => {
  test.skip(process.platform !== 'linux', 'packed for Linux, and run here');
  const folder = await makeFolder();
  const arch = process.arch === 'arm64' ? Arch.arm64 : Arch.x64;
  const packed = await pack(Platform.LINUX, arch, folder);
  const app = join(folder, 'app');
  extractAll(join(packed.folder, 'resources/app.asar'), app);
  const desktop = await startDesktop({ app });
  // The page, its port, the engine's threads and the native module are included.
  await desktop.page.getByRole('button', { name: /Try the sample data/ }).click();
  await expect(desktop.page.getByRole('link', { name: 'sessions' }).first()).toBeVisible();
  await desktop.stop();
  await rm(folder, { recursive: true });
});

test('the packed program runs only the app: its fuses are set', async () => {
  const folder = await makeFolder();
  const packed = await pack(Platform.LINUX, Arch.x64, folder);
  const program = await readFile(join(packed.folder, 'sandglass'), 'latin1');
  // In Electron's order: run as Node, cookie encryption, NODE_OPTIONS, --inspect, archive integrity, only the
  // archive, a V8 snapshot of our own, file: privileges.
  expect(program.slice(-8)).toBe('01001100');
  await rm(folder, { recursive: true });
});

test('the icon is large enough for every system', async () => {
  const icon = await readFile(join(root, 'electron/desktop/resources/icon.png'));
  expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([1024, 1024]);
});
