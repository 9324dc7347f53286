// `npm run screenshots`: pictures of every page in its main states, both themes and two sizes, into screenshots/.
import { join } from 'node:path';
import { CannotStart, ensureBuilt, ensureInstalled, ROOT } from '../electron/prepare.mjs';
import { run } from '../electron/start/run.mjs';
import { findOrInstallChromium } from './support/chromium.mjs';

/** @param {string} line */
const say = line => console.log(line);

try {
  const node = await ensureInstalled(ROOT, say);
  await ensureBuilt(node, ROOT, say);
  const chromium = findOrInstallChromium(ROOT, node);
  if (chromium === undefined) throw new CannotStart('Pictures need a Chromium, and there is none.');
  process.exitCode = await run(node, [join(ROOT, 'test/pictures/take.ts'), ...process.argv.slice(2)], {
    cwd: ROOT,
    env: { ...process.env, SANDGLASS_CHROMIUM: chromium },
  });
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
