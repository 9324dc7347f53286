import { fileURLToPath } from 'node:url';
import { entryUrl } from '../../engine/platform/entry-url.ts';
import { run } from '../../start/run.mjs';
import type { Command } from '../session/command.ts';

const SERVE = fileURLToPath(entryUrl('../../serve.ts', import.meta.url));

export const serve: Command = {
  name: 'serve',
  summary: 'Serve a store to browsers and other machines, as `npm start -- --serve` does',
  arguments: [{ name: 'FLAGS', optional: true, many: true }],
  options: {},
  notes: [
    'FLAGS are those of `npm start`: --port, --host, --store, --token-file, --follow and more.',
    '`npm start -- --help` lists them.',
  ],
  store: 'none',
  forwardsArguments: true,
  run: ({ args }) => run(process.execPath, [SERVE, '--serve', ...args.all('FLAGS')]),
};
