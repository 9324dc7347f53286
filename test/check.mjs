// `npm run check`: types, lint, unused code and packages. The exit code is 1 if one of them fails.
import { join } from 'node:path';
import { CannotStart, ensureInstalled, ROOT } from '../electron/prepare.mjs';
import { run } from '../electron/start/run.mjs';
import { runChecks } from './checks.mjs';

try {
  const node = await ensureInstalled();
  const { failures } = await runChecks(([program = '', ...words]) =>
    run(node, [join(ROOT, 'node_modules', program), ...words], { cwd: ROOT }),
  );
  process.exitCode = failures.length === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
