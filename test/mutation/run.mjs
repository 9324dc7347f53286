// `npm run mutation -- --only expiry --minutes 10 --seed 1`: the mutation tester, on the Node that Sandglass runs on.
import { join } from 'node:path';
import { ensureInstalled, ROOT } from '../../electron/prepare.mjs';
import { run } from '../../electron/start/run.mjs';

const node = await ensureInstalled(ROOT, line => console.error(line));
const words = [join(ROOT, 'test/mutation/main.ts'), ...process.argv.slice(2)];
process.exitCode = await run(node, words, { cwd: ROOT, env: process.env });
