// `npm run torture -- --minutes 60 --seed 1`: runs the torture machine on the Node that Sandglass runs on.
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ROOT } from '../../electron/prepare.mjs';
import { run } from '../../electron/start/run.mjs';

/** @param {string} line */
const say = line => console.error(line);
const node = await ensureInstalled(ROOT, say);
await ensureBuilt(node, ROOT, say);
const words = [join(ROOT, 'test/torture/main.ts'), ...process.argv.slice(2)];
// Compilation takes half of the start of a process from sources, and a part starts many.
const env = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'), ...process.env };
process.exitCode = await run(node, words, { cwd: ROOT, env });
