// The nginx of the test of docs/deploy.md: named, found, or installed after a message.
import { existsSync } from 'node:fs';
import { findOrInstall } from './debian-program.mjs';

const PLACES = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'];

/** @returns {string | undefined} */
export function findNginx() {
  return process.env.SANDGLASS_NGINX ?? PLACES.find(path => existsSync(path));
}

/** @returns {string | undefined} An nginx, after trying to install Debian's where there was none. */
export const findOrInstallNginx = () => findOrInstall(findNginx, 'nginx-light');
