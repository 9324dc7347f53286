// `npm start`: prepares what is missing, then opens Electron where it can be had, else serves the same app.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CannotStart, ensureBuilt, ensureInstalled, ROOT } from './prepare.mjs';
import { findDesktop } from './start/desktop.mjs';
import { helpText, parseFlags } from './start/flags.mjs';
import { stopWithParent } from './start/parent.mjs';
import { run } from './start/run.mjs';

/** @param {string} line */
const say = line => process.stderr.write(`${line}\n`);

/** @param {string[]} words */
async function launch(words) {
  const { flags, problem } = parseFlags(words);
  if (problem !== undefined) {
    say(`${problem} \`npm start -- --help\` shows them all.`);
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
    const desktop = findDesktop(ROOT, node, say);
    if ('binary' in desktop) return run(desktop.binary, [desktop.entry, ...words]);
    say(`${desktop.reason}, so Sandglass is served here instead.`);
  }
  const serve = join(ROOT, 'dist', 'node', 'serve.js');
  if (node !== process.execPath) return run(node, [serve, ...words]);
  // Already on the right Node, as `npm start` is from the second time on: no second process, nothing to orphan.
  await import(pathToFileURL(serve).href);
  return undefined;
}

try {
  const code = await launch(process.argv.slice(2));
  if (code !== undefined) process.exitCode = code;
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  say(error.message);
  process.exitCode = 1;
}
