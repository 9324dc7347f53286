import { fileURLToPath } from 'node:url';
import { run } from '../../start/run.mjs';
import type { Command } from '../command.ts';

/** The sources lie a folder up, the build beside its entry. */
function serveEntry(): string {
  const way = import.meta.url.endsWith('.ts') ? '../../serve.ts' : './serve.js';
  return fileURLToPath(new URL(way, import.meta.url));
}

export const serve: Command = {
  name: 'serve',
  summary: 'Serve a store to browsers and other machines, as `npm start -- --serve` does',
  arguments: [{ name: 'FLAGS', optional: true, many: true }],
  options: {},
  notes: [
    'Its flags are those of `npm start`: --port, --host, --store, --token-file, --follow and more.',
    '`npm start -- --help` tells them all.',
  ],
  store: 'none',
  passesOn: true,
  run: ({ given }) => run(process.execPath, [serveEntry(), '--serve', ...given.all('FLAGS')]),
};
