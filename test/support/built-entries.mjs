// Preloaded by `npm test` into every Node process and thread of the unit tests: threads and programs that a test starts
// run as they are built. From sources each costs 1.7 s of a core (a few hundred files are read and stripped of types),
// built 0.6 s. `npx vitest` runs the sources.
import module from 'node:module';

const root = new URL('../../', import.meta.url);

/** As in vite.config.ts, without the desktop's main process. */
const ENTRIES = {
  'electron/serve.ts': 'serve.js',
  'electron/cli/sandglass.ts': 'sandglass.js',
  'electron/engine/engine-thread.ts': 'engine-thread.js',
  'electron/engine/reader-thread.ts': 'reader-thread.js',
  'electron/engine/backends/embedded/file/file-work-thread.ts': 'file-work-thread.js',
  'electron/engine/backends/embedded/file/backup-thread.ts': 'backup-thread.js',
  'electron/engine/backends/embedded/file/checkpoint-thread.ts': 'checkpoint-thread.js',
  'electron/engine/backends/embedded/file/probe-thread.ts': 'probe-thread.js',
};

const built = new Map(
  Object.entries(ENTRIES).map(([source, file]) => [
    new URL(source, root).href,
    new URL(`dist/node/${file}`, root).href,
  ]),
);

// Missing before Node 22.15: then sources run.
module.registerHooks?.({
  resolve(specifier, context, nextResolve) {
    const found = nextResolve(specifier, context);
    const url = built.get(found.url);
    return url === undefined ? found : { ...found, url, format: 'module' };
  },
});
