import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ensureBuilt } from '../../../electron/prepare.mjs';
import { outdated } from '../../../electron/start/build.mjs';

/** A checkout with a fake vite that records its arguments and writes the results of a build. */
function checkout(): string {
  const root = mkdtempSync(join(tmpdir(), 'sandglass-build-'));
  for (const folder of ['renderer', 'shared', 'electron/web', 'node_modules/vite/bin']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  writeFileSync(join(root, 'package-lock.json'), '{}');
  writeFileSync(join(root, 'vite.config.ts'), '');
  writeFileSync(join(root, 'renderer', 'main.tsx'), 'window');
  writeFileSync(join(root, 'shared', 'a.ts'), 'shared');
  writeFileSync(join(root, 'electron', 'web', 'server.ts'), 'server');
  writeFileSync(
    join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
    `const fs = require('node:fs');
     const target = process.argv.includes('node') ? 'node' : 'renderer';
     if (fs.existsSync('broken')) { console.error('what is wrong'); process.exit(1); }
     fs.appendFileSync('builds', target + ' ');
     fs.mkdirSync('dist/' + target, { recursive: true });
     fs.writeFileSync('dist/' + target + (target === 'node' ? '/serve.js' : '/index.html'), '');`,
  );
  writeFileSync(join(root, 'builds'), '');
  return root;
}

const names = (root: string) => outdated(root).map(({ target }) => target.name);
const builds = (root: string) => readFileSync(join(root, 'builds'), 'utf8').trim().split(' ').sort();
const build = (root: string, said: string[] = []) =>
  ensureBuilt(process.execPath, root, line => void said.push(line));

describe('a build', () => {
  it('happens once: the second start builds nothing', async () => {
    const root = checkout();
    expect(names(root)).toEqual(['renderer', 'node']);
    await build(root);
    expect(names(root)).toEqual([]);
    await build(root);
    expect(builds(root)).toEqual(['node', 'renderer']);
  });

  it('is due only for the targets that contain a change', async () => {
    const root = checkout();
    await build(root);
    appendFileSync(join(root, 'electron', 'web', 'server.ts'), ' changed');
    expect(names(root)).toEqual(['node']);
    appendFileSync(join(root, 'shared', 'a.ts'), ' changed');
    expect(names(root)).toEqual(['renderer', 'node']);
    await build(root);
    rmSync(join(root, 'renderer', 'main.tsx'));
    expect(names(root)).toEqual(['renderer']);
  });

  it('is not due when only the times of files changed, but when its result is missing', async () => {
    const root = checkout();
    await build(root);
    utimesSync(join(root, 'shared', 'a.ts'), 1, 1);
    expect(names(root)).toEqual([]);
    rmSync(join(root, 'dist', 'node'), { recursive: true });
    expect(names(root)).toEqual(['node']);
  });

  it('that fails prints the reason and is repeated by the next start', async () => {
    const root = checkout();
    writeFileSync(join(root, 'broken'), '');
    const said: string[] = [];
    await expect(build(root, said)).rejects.toThrow('could not be built');
    expect(said.join('\n')).toContain('what is wrong');
    expect(names(root)).toEqual(['renderer', 'node']);
  });

  it('runs in one of two simultaneous starts while the other waits', async () => {
    const root = checkout();
    const said: string[] = [];
    await Promise.all([build(root, said), build(root, said)]);
    expect(builds(root)).toEqual(['node', 'renderer']);
    expect(said.filter(line => line.startsWith('Another start'))).toHaveLength(1);
  });

  it('does not wait for the lock of a start that was killed', async () => {
    const root = checkout();
    mkdirSync(join(root, '.sandglass'));
    writeFileSync(join(root, '.sandglass', 'preparing'), '4194305');
    await build(root);
    expect(names(root)).toEqual([]);
  });
});
