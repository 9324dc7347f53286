// The nginx of the test of docs/deploy.md: named, found, or installed after a message.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const PLACES = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'];

/** @returns {string | undefined} */
export function findNginx() {
  return process.env.SANDGLASS_NGINX ?? PLACES.find(path => existsSync(path));
}

/** @returns {string | undefined} An nginx, after trying to install Debian's where there was none. */
export function findOrInstallNginx() {
  const found = findNginx();
  const apt = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (found !== undefined || !apt) return found;
  console.log('There is no nginx here for the test of a reverse proxy; installing the Debian package …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  /** @param {string[]} words */
  const runs = words => spawnSync('apt-get', words, { stdio: 'ignore', env }).status === 0;
  const words = ['install', '-y', '--no-install-recommends', 'nginx-light'];
  // The package lists of a fresh container are empty.
  if (!runs(words) && runs(['update'])) runs(words);
  return findNginx();
}
