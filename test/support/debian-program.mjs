import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Waits for apt's lock, since another test file may install its server at the same time. */
const WAIT_FOR_LOCK = ['-o', 'DPkg::Lock::Timeout=300'];

/**
 * Returns the result of `find`, after trying to install a Debian package if there is none and this user may.
 * Undefined: the program is missing on this machine.
 * @param {() => string | undefined} find
 * @param {string} packageName
 * @returns {string | undefined}
 */
export function findOrInstall(find, packageName) {
  const found = find();
  const apt = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (found !== undefined || !apt) return found;
  console.log(`Installing the Debian package ${packageName}, which tests need …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  /** @param {string[]} words */
  const runs = words =>
    spawnSync('apt-get', [...WAIT_FOR_LOCK, ...words], { stdio: 'ignore', env }).status === 0;
  const words = ['install', '-y', '--no-install-recommends', packageName];
  // The package lists of a fresh container are empty.
  if (!runs(words) && runs(['update'])) runs(words);
  return find();
}
