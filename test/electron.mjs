// `npm run test:electron`: the desktop's tests and the three-click story in Electron's own binary. `npm test` runs the
// same on a double, which shows everything but Electron itself.
import { join } from 'node:path';
import { CannotStart, ensureBuilt, ensureInstalled, ROOT } from '../electron/prepare.mjs';
import { findDesktop } from '../electron/start/desktop.mjs';
import { run } from '../electron/start/run.mjs';

/** @param {string} line */
const say = line => console.log(line);

async function main() {
  const node = await ensureInstalled(ROOT, say);
  await ensureBuilt(node, ROOT, say);
  const desktop = await findDesktop(ROOT, node, say);
  if ('reason' in desktop) {
    console.error(
      `${desktop.reason}, so nothing can be tested in it. \`npm test\` runs the same on a double.`,
    );
    return 1;
  }
  const words = ['test', 'test/e2e/three-clicks', 'test/e2e/desktop', '--project=desktop', '--reporter=list'];
  return run(node, [join(ROOT, 'node_modules/@playwright/test/cli.js'), ...words], {
    cwd: ROOT,
    env: { ...process.env, SANDGLASS_TEST_ELECTRON: 'true' },
  });
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
