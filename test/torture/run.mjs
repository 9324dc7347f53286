// `npm run torture -- --minutes 60 --seed 1`: runs the torture machine on the Node that Sandglass runs on.
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ROOT } from '../../electron/prepare.mjs';
import { run } from '../../electron/start/run.mjs';

/** @param {string} line */
const say = line => console.error(line);
const node = await ensureInstalled(ROOT, say);
await ensureBuilt(node, ROOT, say);
const words = [join(ROOT, 'test/torture/main.ts'), ...process.argv.slice(2)];
process.exitCode = await run(node, words, { cwd: ROOT, env: process.env });
