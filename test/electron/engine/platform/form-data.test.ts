import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MODULE = new URL('../../../../electron/engine/platform/form-data.ts', import.meta.url);

/** Whether Node has loaded its HTTP client after a message was asked whether it is a form. */
async function loadsHttpClient(before: string): Promise<boolean> {
  const script = `${before}; ({}) instanceof FormData;
    console.log(process.moduleLoadList.some(name => name.includes('undici/undici')));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return stdout.trim() === 'true';
}

it('a thread without forms does not load the HTTP client of Node with its first message', async () => {
  const replaced = `(await import('${MODULE.href}')).withoutFormData()`;
  expect(await loadsHttpClient('')).toBe(true);
  expect(await loadsHttpClient(replaced)).toBe(false);
});
