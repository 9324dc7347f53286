// From a fresh clone to something that runs: install from the lock file, find Node, build. What is done already
// costs only the look. Node's own modules only, in a syntax that an old Node can read far enough to say so.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, outdated } from './start/build.mjs';
import { install, isInstalled } from './start/install.mjs';
import { inTurn } from './start/preparation-lock.mjs';
import { bringsItsOwnNode, findNode, isNewEnough, thisMachine, tooOldMessage } from './start/runtime.mjs';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Something that keeps Sandglass from starting, in words for a person. */
export class CannotStart extends Error {}

/** @param {string} line */
const sayOnStandardError = line => process.stderr.write(`${line}\n`);

/** @param {(line: string) => void} say */
const turnTaken = say => () => say('Another start is preparing this checkout; waiting for it …');

/**
 * Installs the packages where they are missing or the lock file has changed.
 * @param {string} [root]
 * @param {(line: string) => void} [say]
 * @returns {Promise<string>} The Node to run Sandglass with.
 * @throws {CannotStart}
 */
export async function ensureInstalled(root = ROOT, say = sayOnStandardError) {
  const machine = thisMachine();
  // Before anything is fetched: here no install can help.
  if (!isNewEnough(machine.version) && !bringsItsOwnNode(machine))
    throw new CannotStart(tooOldMessage(machine));
  if (!isInstalled(root)) {
    await inTurn(root, turnTaken(say), async () => {
      if (isInstalled(root)) return;
      say('Installing packages from the lock file (npm ci); the first time takes about half a minute …');
      if (!install(root)) throw new CannotStart('npm could not install the packages; its message is above.');
    });
  }
  const node = findNode(root, machine);
  if (node === undefined) throw new CannotStart(tooOldMessage(machine));
  return node;
}

/**
 * Builds what has changed since it was built last.
 * @param {string} node What `ensureInstalled` answered.
 * @param {string} [root]
 * @param {(line: string) => void} [say]
 * @throws {CannotStart}
 */
export async function ensureBuilt(node, root = ROOT, say = sayOnStandardError) {
  if (outdated(root).length === 0) return;
  await inTurn(root, turnTaken(say), async () => {
    const work = outdated(root);
    if (work.length === 0) return;
    say(`Building ${work.map(({ target }) => target.name).join(' and ')} …`);
    const failed = (await build(root, node, work)).filter(result => !result.ok);
    for (const { name, output } of failed) say(`${output.trim()}\nBuilding ${name} failed.`);
    if (failed.length > 0) throw new CannotStart('Sandglass could not be built; the reason is above.');
  });
}
