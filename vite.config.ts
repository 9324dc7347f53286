import { existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import lingui from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin, type UserConfig } from 'vite';
import { NONCE_PLACEHOLDER } from './electron/host/style-nonce.ts';
import { NODE_ENTRIES } from './vite.entries.ts';
import { MESSAGES } from './vite.messages.ts';

const renderer: UserConfig = {
  root: 'renderer',
  base: './',
  plugins: [lingui(MESSAGES), react()],
  html: { cspNonce: NONCE_PLACEHOLDER },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome130',
    // A data: URL would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      output: {
        // no-eval.ts must run before any schema is created, in whichever chunk that is.
        codeSplitting: { groups: [{ name: 'zod', test: /node_modules[\\/]zod[\\/]|no-eval\.ts$/ }] },
      },
    },
  },
};

/** The sandbox loads no ES modules: the preload is a separate build, after the others have emptied the folder. */
const preload: Plugin = {
  name: 'sandglass-preload',
  async closeBundle() {
    await build({
      configFile: false,
      logLevel: 'warn',
      build: {
        ssr: 'electron/preload.ts',
        outDir: 'dist/node',
        emptyOutDir: false,
        rolldownOptions: { external: ['electron'], output: { format: 'cjs', entryFileNames: 'preload.cjs' } },
      },
    });
  },
};

/** Bundles everything except native and built-in modules: a start reads a few files instead of a few hundred. */
const node: UserConfig = {
  plugins: [preload],
  // ssh2 is CommonJS and reads it while it loads.
  define: { __dirname: 'import.meta.dirname' },
  ssr: { noExternal: true, external: ['better-sqlite3', 'electron', 'cpu-features'], target: 'node' },
  build: {
    ssr: true,
    outDir: 'dist/node',
    emptyOutDir: true,
    target: 'node22',
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(NODE_ENTRIES).filter(([, source]) => existsSync(source))),
      // `cpu-features` and `sshcrypto.node` are optional native parts of ssh2, which does without them.
      external: [
        'better-sqlite3',
        'electron',
        'cpu-features',
        /sshcrypto\.node$/,
        ...builtinModules,
        /^node:/,
      ],
      output: {
        format: 'es',
        // One character above U+00FF doubles the memory of a whole chunk, in each thread that loads it: V8 keeps the source.
        charset: 'ascii',
        comments: { legal: true, annotation: false, jsdoc: false },
        entryFileNames: '[name].js',
        // Beside the entries, so that `new URL('./thread.js', import.meta.url)` is right in every chunk.
        chunkFileNames: 'chunk-[name]-[hash].js',
      },
    },
  },
};

export default defineConfig(({ mode }) => (mode === 'node' ? node : renderer));
