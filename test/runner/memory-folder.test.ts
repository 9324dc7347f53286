import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withTemporaryFolder } from '../support/memory-folder.mjs';

test('the folder of temporary files can be written while tests run, and is deleted after them, also after a failure', async () => {
  let used = '';
  const failing = withTemporaryFolder(async folder => {
    used = folder;
    writeFileSync(join(folder, 'one'), 'text');
    throw new Error('a test run ended');
  });
  await expect(failing).rejects.toThrow('a test run ended');
  expect(used).not.toBe('');
  expect(existsSync(used)).toBe(false);
});
