import { symlinkSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { NODE_ENTRIES } from '../../../vite.entries.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Programs of lives (life-child.ts, thread-child.ts). */
export interface LifePrograms {
  readonly life: string;
  readonly thread: string;
}

export const LIVES_FROM_SOURCES: LifePrograms = {
  life: new URL('./life-child.ts', import.meta.url).pathname,
  thread: new URL('../kills/thread-child.ts', import.meta.url).pathname,
};

/**
 * Bundles the programs with the engine and its threads into `folder`, as the product is built: 1,000 processes start in a
 * third of the time that they need from sources.
 */
export async function buildLives(folder: string): Promise<LifePrograms> {
  // Loaded here, since a sample runs from sources.
  const { build } = await import('vite');
  const threads = Object.entries(NODE_ENTRIES).filter(([name]) => name.endsWith('-thread'));
  const external = ['better-sqlite3', 'electron', 'cpu-features'];
  const out = join(folder, 'built');
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external, target: 'node' },
    build: {
      ssr: true,
      outDir: out,
      emptyOutDir: true,
      target: 'node22',
      minify: false,
      rolldownOptions: {
        input: {
          ...Object.fromEntries(threads),
          'life-child': LIVES_FROM_SOURCES.life,
          'thread-child': LIVES_FROM_SOURCES.thread,
        },
        external: [...external, /sshcrypto\.node$/, ...builtinModules, /^node:/],
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunk-[name]-[hash].js' },
      },
    },
  });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return { life: join(out, 'life-child.js'), thread: join(out, 'thread-child.js') };
}
