import { basename } from 'node:path';

/**
 * Returns the URL of an entry that runs on a thread or process of its own. `source` is its `.ts` file, relative to
 * `importer`, the caller's `import.meta.url`. Sources run as they are; the build puts every entry beside its chunks.
 */
export function entryUrl(source: string, importer: string): URL {
  return importer.endsWith('.ts')
    ? new URL(source, importer)
    : new URL(`./${basename(source, '.ts')}.js`, importer);
}
