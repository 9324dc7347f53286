// Finds Electron's binary, which is not in its package but downloaded at first use.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const DOWNLOAD_TIMEOUT_MS = 45_000;

/**
 * @param {string} root
 * @returns {string | undefined}
 */
function findBinary(root) {
  const folder = join(root, 'node_modules', 'electron');
  try {
    // Electron's installer writes path.txt when the binary is complete.
    const binary = join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8').trim());
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the command that opens the desktop app, or the reason why it cannot be opened. Downloads a missing Electron;
 * a failed download is recorded, and not repeated until the packages are installed again.
 * @param {string} root
 * @param {string} node
 * @param {(line: string) => void} print
 * @returns {{ binary: string, entry: string } | { reason: string }}
 */
export function findDesktop(root, node, print) {
  const entry = join(root, 'dist', 'node', 'main.js');
  if (!existsSync(entry)) return { reason: 'The desktop app is not built' };
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return { reason: 'There is no display' };
  const failed = join(root, 'node_modules', '.sandglass', 'no-electron');
  if (findBinary(root) === undefined && !existsSync(failed)) {
    print('Downloading Electron (once) …');
    const installer = join(root, 'node_modules', 'electron', 'install.js');
    const result = spawnSync(node, [installer], { cwd: root, stdio: 'ignore', timeout: DOWNLOAD_TIMEOUT_MS });
    if (result.status !== 0) {
      mkdirSync(dirname(failed), { recursive: true });
      writeFileSync(failed, result.error?.message ?? `exit code ${result.status}`);
    }
  }
  const binary = findBinary(root);
  return binary === undefined ? { reason: 'Electron could not be downloaded' } : { binary, entry };
}
