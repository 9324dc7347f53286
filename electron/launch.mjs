// `npm start`: installs and builds what is missing, then opens Electron, or serves the app if Electron is not
// available.
import { join } from 'node:path';
import { CannotStart, ensureBuilt, ensureInstalled, ROOT } from './prepare.mjs';
import { findDesktop } from './start/desktop.mjs';
import { helpText, parseFlags } from './start/flags.mjs';
import { stopWithParent } from './start/parent.mjs';
import { run, runEntry } from './start/run.mjs';

/** @param {string} line */
const print = line => process.stderr.write(`${line}\n`);

/** @param {string[]} argv */
async function launch(argv) {
  const { flags, problem } = parseFlags(argv);
  if (problem !== undefined) {
    print(`${problem} \`npm start -- --help\` lists all flags.`);
    return 2;
  }
  if (flags.help) {
    process.stdout.write(helpText());
    return 0;
  }
  stopWithParent();
  const node = await ensureInstalled();
  await ensureBuilt(node);
  if (!flags.serve) {
    const desktop = findDesktop(ROOT, node, print);
    if ('binary' in desktop) return run(desktop.binary, [desktop.entry, ...argv]);
    print(`${desktop.reason}: Sandglass is served in a browser instead.`);
  }
  return runEntry(node, join(ROOT, 'dist', 'node', 'serve.js'), argv);
}

try {
  const code = await launch(process.argv.slice(2));
  if (code !== undefined) process.exitCode = code;
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  print(error.message);
  process.exitCode = 1;
}
