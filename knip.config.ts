import type { KnipConfig } from 'knip';
import { NODE_ENTRIES } from './vite.entries.ts';

/**
 * Unused files, exports and packages: `npm run check`. Entries that end in `!` belong to the product, the others to its tests.
 *
 * An import by a test counts as a use: pure functions and limits that only their own file calls are exported for their unit
 * tests. `knip --production` lists them; code that no product file runs does not belong there but in `test/support`.
 */
const config: KnipConfig = {
  entry: [
    'electron/{launch,sandglass}.mjs!',
    'electron/preload.ts!',
    'renderer/index.html!',
    ...Object.values(NODE_ENTRIES).map(entry => `${entry}!`),
    'electron/dev/dev.ts',
    'test/*.mjs',
    'test/**/*.test.{ts,tsx}',
    'test/bench/{run,one}.mjs',
    'test/bench/{bench,child,one}.ts',
    'test/bench/timeline-page/{main.tsx,vite.config.ts}',
    'test/pictures/take.ts',
    'test/soak/{run.mjs,main.ts}',
    'test/support/{crash-child.ts,built-entries.mjs}',
    'test/support/electron-double/{boot,electron}.ts',
  ],
  project: ['{electron,renderer,shared}/**/*.{ts,tsx,mjs,css}!', 'test/**/*.{ts,tsx,mjs}'],
  // The peers of the benchmark are declared in its own package.json and installed by `npm run bench`.
  ignoreDependencies: ['@keyv/sqlite', 'keyv', '@seald-io/nedb', 'pg'],
  // Style sheets name packages too: fonts and the styles of components.
  compilers: {
    css: (text: string) =>
      [...text.matchAll(/(?:@import|url\()\s*"([^":]+)"/g)].map(([, name]) => `import '${name}';`).join('\n'),
  },
  // Programs of the system: apt-get, mount, openssl, …
  exclude: ['binaries'],
  ignoreExportsUsedInFile: { interface: true, type: true },
};

export default config;
