// Electron's binary is not in its package: it is fetched at first use, where that works at all.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FETCH_LIMIT_MS = 45_000;

/**
 * @param {string} root
 * @returns {string | undefined}
 */
function findBinary(root) {
  const folder = join(root, 'node_modules', 'electron');
  try {
    // Electron's installer writes the binary's place into path.txt when all of it is there.
    const binary = join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8').trim());
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What to open the desktop app with, fetching Electron once where it is missing. A fetch that failed is
 * remembered until the packages are installed anew, so it costs one start and not each.
 * @param {string} root
 * @param {string} node
 * @param {(line: string) => void} say
 * @returns {{ binary: string, entry: string } | { reason: string }}
 */
export function findDesktop(root, node, say) {
  const entry = join(root, 'dist', 'node', 'main.js');
  if (!existsSync(entry)) return { reason: 'The desktop app is not built' };
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return { reason: 'There is no display' };
  const failed = join(root, 'node_modules', '.sandglass', 'no-electron');
  if (findBinary(root) === undefined && !existsSync(failed)) {
    say('Fetching Electron, once …');
    const installer = join(root, 'node_modules', 'electron', 'install.js');
    const result = spawnSync(node, [installer], { cwd: root, stdio: 'ignore', timeout: FETCH_LIMIT_MS });
    if (result.status !== 0) {
      mkdirSync(dirname(failed), { recursive: true });
      writeFileSync(failed, result.error?.message ?? `exit code ${result.status}`);
    }
  }
  const binary = findBinary(root);
  return binary === undefined ? { reason: 'Electron could not be fetched' } : { binary, entry };
}
