// `npm run dev`: installs what is missing, then runs the development server from its sources on the right Node.
import { join } from 'node:path';
import { CannotStart, ensureInstalled, ROOT } from './prepare.mjs';
import { stopWithParent } from './start/parent.mjs';
import { run } from './start/run.mjs';

try {
  stopWithParent();
  const node = await ensureInstalled();
  process.exitCode = await run(node, [join(ROOT, 'electron/dev/dev.ts'), ...process.argv.slice(2)], {
    cwd: ROOT,
    // Parsing the sources takes half of an engine's start: the cache saves it.
    env: { ...process.env, NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node') },
  });
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
