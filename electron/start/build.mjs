// Builds the targets whose sources changed, by a fingerprint of each target's sources beside its output.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const EVERY_TARGET = ['shared', 'vite.config.ts', 'vite.entries.ts', 'package-lock.json'];

/** @typedef {{ name: string, sources: readonly string[], args: readonly string[], result: string }} Target */

/** @type {readonly Target[]} */
const TARGETS = [
  {
    name: 'renderer',
    sources: ['renderer', 'lingui.config.ts', 'vite.messages.ts', ...EVERY_TARGET],
    args: ['build'],
    result: 'dist/renderer/index.html',
  },
  {
    name: 'node',
    sources: ['electron', 'vite.messages.ts', ...EVERY_TARGET],
    args: ['build', '--mode', 'node'],
    result: 'dist/node/serve.js',
  },
];

/**
 * @param {string} root
 * @param {string} path
 * @returns {string[]} Files at and below `path`, sorted.
 */
function filesBelow(root, path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  try {
    return readdirSync(full, { withFileTypes: true })
      .filter(entry => !entry.name.startsWith('.'))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap(entry => {
        const child = `${path}/${entry.name}`;
        return entry.isDirectory() ? filesBelow(root, child) : [child];
      });
  } catch {
    return [path];
  }
}

/**
 * Returns a hash of the content, which does not change if a checkout only changes times. Takes some 20 ms for the
 * project.
 * @param {string} root
 * @param {Target} target
 */
function fingerprint(root, target) {
  const sum = createHash('sha256');
  for (const file of target.sources.flatMap(path => filesBelow(root, path))) {
    sum.update(`${file}\0`);
    sum.update(readFileSync(join(root, file)));
    sum.update('\0');
  }
  return sum.digest('hex');
}

/**
 * @param {string} root
 * @param {Target} target
 */
const stampOf = (root, target) => join(root, 'dist', `${target.name}.built`);

/**
 * @param {string} root
 * @returns {{ target: Target, print: string }[]} The targets whose sources changed since they were built.
 */
export function outdated(root) {
  return TARGETS.map(target => ({ target, print: fingerprint(root, target) })).filter(({ target, print }) => {
    const stamp = stampOf(root, target);
    return (
      !existsSync(join(root, target.result)) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== print
    );
  });
}

/**
 * @param {string} root
 * @param {string} node
 * @param {{ target: Target, print: string }} work
 * @returns {Promise<{ name: string, ok: boolean, output: string }>}
 */
function buildOne(root, node, { target, print }) {
  // An interrupted build leaves no stamp, so the next start builds again.
  rmSync(stampOf(root, target), { force: true });
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  return new Promise(resolve => {
    const child = spawn(node, [vite, ...target.args, '--logLevel', 'warn'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', chunk => (output += chunk));
    child.stderr.on('data', chunk => (output += chunk));
    child.on('error', error => resolve({ name: target.name, ok: false, output: error.message }));
    child.on('close', code => {
      const ok = code === 0 && existsSync(join(root, target.result));
      if (ok) {
        mkdirSync(join(root, 'dist'), { recursive: true });
        // Taken before the build: a change during the build makes the target outdated again.
        writeFileSync(stampOf(root, target), print);
      }
      resolve({ name: target.name, ok, output });
    });
  });
}

/**
 * @param {string} root
 * @param {string} node
 * @param {{ target: Target, print: string }[]} work
 */
export function build(root, node, work) {
  return Promise.all(work.map(item => buildOne(root, node, item)));
}
