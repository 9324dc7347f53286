#!/usr/bin/env node
// `npx sandglass` and `npm run sandglass --`: installs and builds what is missing, then runs the command line.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CannotStart, ensureBuilt, ensureInstalled, ROOT } from './prepare.mjs';
import { stopWithParent } from './start/parent.mjs';
import { run } from './start/run.mjs';
import { nodeOptions } from './start/runtime.mjs';

/** @param {string[]} argv */
async function launch(argv) {
  stopWithParent();
  const node = await ensureInstalled();
  await ensureBuilt(node);
  const entry = join(ROOT, 'dist', 'node', 'sandglass.js');
  if (node !== process.execPath) return run(node, [...nodeOptions(), entry, ...argv]);
  await import(pathToFileURL(entry).href);
  return undefined;
}

try {
  const code = await launch(process.argv.slice(2));
  if (code !== undefined) process.exitCode = code;
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
