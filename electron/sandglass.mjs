#!/usr/bin/env node
// `npx sandglass` and `npm run sandglass --`: installs and builds what is missing, then runs the command line.
import { join } from 'node:path';
import { CannotStart, ensureBuilt, ensureInstalled, ROOT } from './prepare.mjs';
import { stopWithParent } from './start/parent.mjs';
import { runEntry } from './start/run.mjs';

/** @param {string[]} argv */
async function launch(argv) {
  stopWithParent();
  const node = await ensureInstalled();
  await ensureBuilt(node);
  return runEntry(node, join(ROOT, 'dist', 'node', 'sandglass.js'), argv);
}

try {
  const code = await launch(process.argv.slice(2));
  if (code !== undefined) process.exitCode = code;
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
