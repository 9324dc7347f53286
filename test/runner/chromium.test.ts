import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { findChromium } from '../support/chromium.mjs';
import { NEEDS_LINUX, runsHere } from '../support/runs-here.ts';
import { temporaryFolder } from '../support/temporary.ts';

describe.runIf(runsHere('the search for a Chromium', NEEDS_LINUX))(
  'the Chromium of the window’s tests',
  () => {
    let folder: string;

    function program(name: string): string {
      const path = join(folder, name);
      writeFileSync(path, '');
      chmodSync(path, 0o755);
      return path;
    }

    beforeEach(() => {
      folder = temporaryFolder();
      vi.stubEnv('PATH', folder);
      vi.stubEnv('SANDGLASS_CHROMIUM', undefined);
      return () => vi.unstubAllEnvs();
    });

    it('is the headless shell, except where the browser is shown', () => {
      const chromium = program('chromium');
      const shell = program('chromium-headless-shell');
      expect(findChromium()).toBe(shell);
      expect(findChromium({ headed: true })).toBe(chromium);
    });

    it('is another Chromium where there is no headless shell', () => {
      const chromium = program('chromium');
      expect(findChromium()).toBe(chromium);
    });

    it('is the named program, where one is named', () => {
      const named = program('chromium');
      program('chromium-headless-shell');
      vi.stubEnv('SANDGLASS_CHROMIUM', named);
      expect(findChromium()).toBe(named);
    });
  },
);
