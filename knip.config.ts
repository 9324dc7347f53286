import type { KnipConfig } from 'knip';
import { NODE_ENTRIES } from './vite.entries.ts';

/**
 * Unused files, exports and packages: `npm run check`. Entries that end in `!` belong to the product, the others to its tests.
 *
 * An import by a test counts as no use: the second run, with `--production`, counts only the product. A pure function or a
 * limit that is exported for its unit test, and otherwise called in its own file, is tagged `@internal`. Code that no
 * product file runs belongs in `test/support`.
 */
const config: KnipConfig = {
  entry: [
    'electron/{launch,sandglass,dev}.mjs!',
    'electron/preload.ts!',
    'renderer/index.html!',
    'lingui.config.ts',
    'renderer/theme/index.css!',
    // Used by the build.
    'electron/host/style-nonce.ts!',
    ...Object.values(NODE_ENTRIES).map(entry => `${entry}!`),
    'electron/dev/dev.ts!',
    'test/*.mjs',
    'test/**/*.test.{ts,tsx}',
    'test/bench/{run,one}.mjs',
    'test/bench/load/*-foreground.ts',
    'test/bench/{bench,child,one}.ts',
    'test/bench/timeline-page/{main.tsx,vite.config.ts}',
    'test/pictures/take.ts',
    'test/mutation/{run.mjs,main.ts,child.ts,runner.ts,fixture/*.ts}',
    'test/soak/{run.mjs,main.ts}',
    'test/torture/{run.mjs,main.ts,io-faults/child.ts,soak/moved-clock.mjs,histories/clock/wall-clock.mjs}',
    'test/support/{crash-child.ts,reaper-process.ts,built-entries.mjs,write-zone-table.ts}',
    'test/support/results/*-reporter.mjs',
    'test/fixtures/results/*.ts',
    'test/support/electron-double/{boot,electron}.ts',
  ],
  project: ['{electron,renderer,shared}/**/*.{ts,tsx,mjs,css}!', 'test/**/*.{ts,tsx,mjs}'],
  // The peers of the benchmark are declared in its own package.json and installed by `npm run bench`.
  ignoreDependencies: ['@keyv/sqlite', 'keyv', '@seald-io/nedb'],
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
