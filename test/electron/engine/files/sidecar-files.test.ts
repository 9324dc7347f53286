import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { probeStore } from '../../../../electron/engine/backends/embedded/file/probe.ts';
import { openEmbeddedStore } from '../../../../electron/engine/backends/embedded/store.ts';
import { SIDECAR_SUFFIXES, storeOfSidecar } from '../../../../electron/engine/files/sidecar-files.ts';
import { systemClock } from '../../../../electron/engine/platform/clock.ts';
import { openTestEngine } from '../../../support/engine.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

describe('names that belong to a store', () => {
  it('[S2, B1] cannot be those of a backup, and the store continues', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 's.db');
    const test = openTestEngine({ file });
    await test.client.collections.create({ name: 'c' });
    symlinkSync(folder, join(folder, 'link'));
    for (const place of [file, join(folder, 'link', 's.db')]) {
      for (const suffix of [...SIDECAR_SUFFIXES, '-WAL']) {
        const copy = `${place}${suffix}`;
        const before = existsSync(copy) ? readFileSync(copy) : null;
        const { id } = await test.client.store.backup({ file: copy });
        await expect.poll(() => test.engine.jobs.get(id).state).toBe('failed');
        expect(test.engine.jobs.get(id).error).toBe(
          `s.db${suffix} is reserved for the store s.db. Choose another.`,
        );
        expect(existsSync(copy)).toBe(before !== null);
        // The audit log may have grown at its end.
        if (before !== null) expect(readFileSync(copy).subarray(0, before.length)).toEqual(before);
      }
    }
    const again = await test.reopen();
    expect(again.engine.backend.hasCollection('c')).toBe(true);
  });

  it('[S2] cannot be those of a store: it is neither created, opened nor tested', () => {
    const file = join(temporaryFolder(), 's.db');
    void openTestEngine({ file });
    for (const suffix of SIDECAR_SUFFIXES) {
      const other = `${file}${suffix}`;
      const before = existsSync(other);
      expect(() => openEmbeddedStore({ file: other, clock: systemClock, reads: 'inline' })).toThrow(
        expect.objectContaining({ code: 'STORE_UNREADABLE' }),
      );
      expect(probeStore(other)).toMatchObject({ is: 'refused', code: 'STORE_UNREADABLE' });
      expect(existsSync(other)).toBe(before);
    }
  });

  it('[S2] are also recognised for a store whose file is missing, and for no other file', () => {
    const folder = temporaryFolder();
    const away = join(folder, 'away.sandglass');
    expect(storeOfSidecar(`${away}-lock`)).toBeUndefined();
    expect(storeOfSidecar(`${away}-lock`, [away])).toBe(away);
    mkdirSync(join(folder, 'notes'));
    expect(storeOfSidecar(join(folder, 'notes-owner'))).toBeUndefined();
  });

  it('[S2] in use by other files are reported by the store, which does not change these files', async () => {
    for (const suffix of ['-journal', '-wal', '-reserve']) {
      const file = join(temporaryFolder(), 's.db');
      const test = openTestEngine({ file });
      await test.client.collections.create({ name: 'c' });
      await test.stop();
      writeFileSync(`${file}${suffix}`, 'somebody’s own words');
      for (const readOnly of [false, true]) {
        expect(() => openEmbeddedStore({ file, clock: systemClock, reads: 'inline', readOnly })).toThrow(
          expect.objectContaining({
            code: 'STORE_UNREADABLE',
            message: `${file} cannot be opened: ${file}${suffix} is in its way, which is not a file of this store. Move that file away.`,
          }),
        );
      }
      expect(readFileSync(`${file}${suffix}`, 'utf8')).toBe('somebody’s own words');
    }
  });
});
