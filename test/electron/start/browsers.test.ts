import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBrowser } from '../../../electron/start/browsers.mjs';
import { NEEDS_LINUX, runsHere } from '../../support/runs-here.ts';

function program(name: string): { folder: string; path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'sandglass-browser-'));
  const path = join(folder, name);
  writeFileSync(path, '');
  chmodSync(path, 0o755);
  return { folder, path };
}

describe.runIf(runsHere('the browser for a window', NEEDS_LINUX))('the browser for a window', () => {
  it('is any Chromium-based browser on the path', () => {
    const { folder, path } = program('chromium');
    expect(findBrowser({ PATH: folder }, 'linux')).toBe(path);
  });

  it('is the named one, and no other if that is missing', () => {
    const { folder, path } = program('chromium');
    expect(findBrowser({ PATH: '', SANDGLASS_CHROMIUM: path }, 'linux')).toBe(path);
    expect(findBrowser({ PATH: folder, SANDGLASS_CHROMIUM: '/no/such' }, 'linux')).toBeUndefined();
  });
});
