import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const LOCK = z.object({ packages: z.record(z.string(), z.looseObject({ engines: z.unknown() }).partial()) });

/**
 * npm on Node 20 skips an optional package whose entry in the lock file names a newer Node. Lingui's native part names 22.19, but
 * it runs on the Node 24 that the project brings. After `npm install` has written the entries again, remove `engines` from
 * them.
 */
test('npm on Node 20 installs the native part of Lingui by the lock file', () => {
  const lock = LOCK.parse(
    JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')),
  );
  const native = Object.entries(lock.packages).filter(([path]) =>
    path.startsWith('node_modules/@lingui/native-tools-'),
  );
  expect(native.length).toBeGreaterThan(0);
  expect(native.filter(([, entry]) => entry.engines !== undefined).map(([path]) => path)).toEqual([]);
});
