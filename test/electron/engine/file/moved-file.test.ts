import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openTestEngine, type TestEngine } from '../../../support/engine.ts';

const REFUSED = { code: 'STORE_UNREADABLE', message: expect.stringContaining('writes are refused') };

const create = ({ client }: TestEngine, name: string) => client.collections.create({ name });

describe('a store’s file that is changed under the running engine', () => {
  it('[S5] refuses writes while it is moved away, and accepts them when it is back', async () => {
    const test = openTestEngine();
    await create(test, 'a');
    renameSync(test.file, `${test.file}.moved`);
    await expect(create(test, 'b')).rejects.toMatchObject(REFUSED);
    expect((await test.client.collections.list()).map(({ name }) => name)).toEqual(['a']);
    renameSync(`${test.file}.moved`, test.file);
    await create(test, 'b');
  });

  it('[S5] refuses writes after it was deleted or replaced', async () => {
    const test = openTestEngine();
    await create(test, 'a');
    copyFileSync(test.file, `${test.file}.copy`);
    rmSync(test.file);
    await expect(create(test, 'b')).rejects.toMatchObject(REFUSED);
    renameSync(`${test.file}.copy`, test.file);
    await expect(create(test, 'b')).rejects.toMatchObject(REFUSED);
  });
});
