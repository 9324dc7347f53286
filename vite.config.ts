import { existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';

const renderer: UserConfig = {
  root: 'renderer',
  base: './',
  plugins: [react()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome130',
    // A data: URL would need a hole in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
  },
};

/** Each becomes `dist/node/NAME.js`; they find each other beside themselves. */
const NODE_ENTRIES: Record<string, string> = {
  main: 'electron/main.ts',
  serve: 'electron/serve.ts',
  sandglass: 'electron/cli/sandglass.ts',
  thread: 'electron/engine/thread.ts',
  'reader-thread': 'electron/engine/backends/embedded/reader-thread.ts',
};

/** Everything is bundled (a start then reads a few files, not a few hundred) but what is native or a runtime's own. */
const node: UserConfig = {
  ssr: { noExternal: true, external: ['better-sqlite3', 'electron'], target: 'node' },
  build: {
    ssr: true,
    outDir: 'dist/node',
    emptyOutDir: true,
    target: 'node22',
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(NODE_ENTRIES).filter(([, source]) => existsSync(source))),
      external: ['better-sqlite3', 'electron', ...builtinModules, /^node:/],
      output: {
        format: 'es',
        entryFileNames: '[name].js',
        // Beside the entries, so that `new URL('./thread.js', import.meta.url)` is right wherever code ends up.
        chunkFileNames: 'chunk-[name]-[hash].js',
      },
    },
  },
};

export default defineConfig(({ mode }) => (mode === 'node' ? node : renderer));
