// Prepares a fresh clone: installs the packages, finds Node, builds. Skips what is up to date. Imports only Node's
// modules, and uses a syntax that an unsupported Node can parse, so that it can report itself.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, outdated } from './start/build.mjs';
import { install, isInstalled } from './start/install.mjs';
import { withPreparationLock } from './start/preparation-lock.mjs';
import { bundlesNode, findNode, isNewEnough, thisMachine, tooOldMessage } from './start/runtime.mjs';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** The reason why Sandglass cannot start, with a message for the user. */
export class CannotStart extends Error {}

/** @param {string} line */
const printError = line => process.stderr.write(`${line}\n`);

/** @param {(line: string) => void} print */
const onWait = print => () => print('Another start is preparing this checkout; waiting …');

/**
 * Installs the packages if some are missing or the lock file has changed.
 * @param {string} [root]
 * @param {(line: string) => void} [print]
 * @returns {Promise<string>} Path of the Node to run Sandglass with.
 * @throws {CannotStart}
 */
export async function ensureInstalled(root = ROOT, print = printError) {
  const machine = thisMachine();
  // Checked before anything is downloaded, since a download would not help.
  if (!isNewEnough(machine.version) && !bundlesNode(machine)) throw new CannotStart(tooOldMessage(machine));
  if (!isInstalled(root)) {
    await withPreparationLock(root, onWait(print), async () => {
      if (isInstalled(root)) return;
      print('Installing packages from the lock file (npm ci), about half a minute the first time …');
      if (!install(root)) throw new CannotStart('npm could not install the packages; see its message above.');
    });
  }
  const node = findNode(root, machine);
  if (node === undefined) throw new CannotStart(tooOldMessage(machine));
  return node;
}

/**
 * Builds the targets whose sources have changed.
 * @param {string} node Path of the Node that `ensureInstalled` returned.
 * @param {string} [root]
 * @param {(line: string) => void} [print]
 * @throws {CannotStart}
 */
export async function ensureBuilt(node, root = ROOT, print = printError) {
  if (outdated(root).length === 0) return;
  await withPreparationLock(root, onWait(print), async () => {
    const work = outdated(root);
    if (work.length === 0) return;
    print(`Building ${work.map(({ target }) => target.name).join(' and ')} …`);
    const failed = (await build(root, node, work)).filter(result => !result.ok);
    for (const { name, output } of failed) print(`${output.trim()}\nBuilding ${name} failed.`);
    if (failed.length > 0) throw new CannotStart('Sandglass could not be built; see the message above.');
  });
}
