// `npm run bench`: installs the missing peers, then runs the benchmark on the Node that Sandglass runs on.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ROOT } from '../../electron/prepare.mjs';
import { run } from '../../electron/start/run.mjs';

const FOLDER = join(ROOT, 'test/bench');
const SERVERS = [
  { program: 'redis-server', found: () => isThere('redis-server'), package: 'redis-server' },
  { program: 'etcd', found: () => isThere('etcd'), package: 'etcd-server' },
  { program: 'postgres', found: () => existsSync('/usr/lib/postgresql'), package: 'postgresql' },
];

/** @param {string} program */
const isThere = program => spawnSync(program, ['--version']).status === 0;

/** Installs Debian's packages if this user may. A missing peer is left out, with a message. */
function installServers() {
  for (const { program, found, package: name } of SERVERS) {
    if (found()) continue;
    console.error(`Installing ${name} …`);
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', name], {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (!found()) console.error(`${program} is missing and could not be installed: its rows stay empty.`);
  }
}

/** @param {string} node */
async function installPackages(node) {
  if (existsSync(join(FOLDER, 'node_modules/.package-lock.json'))) return;
  console.error('Installing the packages of the peers …');
  const { npm, words } = npmOf(node);
  const code = await run(npm, [...words, 'ci', '--no-audit', '--no-fund'], { cwd: FOLDER, env: process.env });
  if (code !== 0) console.error('The packages could not be installed: their rows stay empty.');
}

/**
 * Returns the npm that started this process; otherwise the one on the path.
 * @param {string} node
 */
function npmOf(node) {
  const { npm_execpath: script } = process.env;
  return script === undefined ? { npm: 'npm', words: [] } : { npm: node, words: [script] };
}

const node = await ensureInstalled(ROOT, line => console.error(line));
await ensureBuilt(node, ROOT, line => console.error(line));
const words = process.argv.slice(2);
if (!words.includes('--from')) {
  installServers();
  await installPackages(process.execPath);
}
process.exitCode = await run(node, [join(FOLDER, 'bench.ts'), ...words], { cwd: ROOT, env: process.env });
