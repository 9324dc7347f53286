// `npm run bench:story -- NAME` runs one story and prints its figures; `npm run profile -- NAME` also writes a CPU profile of
// the thread that the engine ran on.
import { join } from 'node:path';
import { CannotStart, ensureBuilt, ensureInstalled, ROOT } from '../../electron/prepare.mjs';
import { run } from '../../electron/start/run.mjs';

/** @param {string} line */
const say = line => console.error(line);

try {
  const node = await ensureInstalled(ROOT, say);
  await ensureBuilt(node, ROOT, say);
  process.exitCode = await run(node, [join(ROOT, 'test/bench/one.ts'), ...process.argv.slice(2)], {
    cwd: ROOT,
    env: process.env,
  });
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
