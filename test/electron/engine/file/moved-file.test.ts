import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  allocateReserve,
  deleteReserve,
  hasReserve,
  isReserve,
} from '../../../../electron/engine/files/reserve-file.ts';
import { openTestEngine, type TestEngine } from '../../../support/engine.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const REFUSED = { code: 'STORE_UNREADABLE', message: expect.stringContaining('writes are refused') };

const create = ({ client }: TestEngine, name: string) => client.collections.create({ name });

describe('zeros that a power cut may leave of a new file', () => {
  it.each(['-wal', '-reserve'])(
    '[S2] under the name of the store’s %s do not prevent its opening',
    async suffix => {
      const test = openTestEngine();
      await create(test, 'a');
      await test.stop();
      writeFileSync(`${test.file}${suffix}`, Buffer.alloc(8_192));
      const again = openTestEngine({ file: test.file });
      expect((await again.client.collections.list()).map(({ name }) => name)).toEqual(['a']);
    },
  );

  it('[S1] in the place of a reserve are replaced by one', async () => {
    const file = join(temporaryFolder(), 'a.sandglass');
    writeFileSync(`${file}-reserve`, Buffer.alloc(4_096));
    await allocateReserve(file, 8_192, new AbortController().signal);
    expect(hasReserve(file, 8_192)).toBe(true);
    expect(isReserve(readFileSync(`${file}-reserve`).subarray(0, 8))).toBe(true);
    expect(deleteReserve(file)).toBe(true);
  });
});

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

  it('[S5] is not created anew while it is moved away and the engine is started again', async () => {
    const test = openTestEngine();
    await create(test, 'a');
    await test.stop();
    renameSync(test.file, `${test.file}.moved`);
    const open = () => openTestEngine({ file: test.file, mustExist: true });
    expect(open).toThrow(expect.objectContaining({ code: 'STORE_UNREADABLE' }));
    expect(existsSync(test.file)).toBe(false);
    renameSync(`${test.file}.moved`, test.file);
    expect((await open().client.collections.list()).map(({ name }) => name)).toEqual(['a']);
  });

  it('[S5] is not created anew beside a log with changes that only the log has', async () => {
    const test = openTestEngine();
    await create(test, 'a');
    const log = readFileSync(`${test.file}-wal`);
    await test.stop();
    renameSync(test.file, `${test.file}.moved`);
    writeFileSync(`${test.file}-wal`, log);
    expect(() => openTestEngine({ file: test.file })).toThrow(
      expect.objectContaining({ code: 'STORE_UNREADABLE', message: expect.stringContaining('-wal') }),
    );
    expect(readFileSync(`${test.file}-wal`).equals(log)).toBe(true);
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
