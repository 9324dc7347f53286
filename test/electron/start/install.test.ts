import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isInstalled, matchesLock } from '../../../electron/start/install.mjs';

type Packages = Record<string, { version?: string; optional?: boolean }>;
const text = (packages: Packages) => JSON.stringify({ packages });
const lock = text({
  '': {},
  'node_modules/a': { version: '1.0.0' },
  'node_modules/other-system': { version: '1.0.0', optional: true },
});

function checkout(installed?: string): string {
  const root = mkdtempSync(join(tmpdir(), 'sandglass-install-'));
  writeFileSync(join(root, 'package-lock.json'), lock);
  if (installed !== undefined) {
    mkdirSync(join(root, 'node_modules', '.sandglass'), { recursive: true });
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), installed);
  }
  return root;
}

describe('an install', () => {
  it('is due in a fresh clone', () => {
    expect(isInstalled(checkout())).toBe(false);
  });

  it('is not due if npm has installed the locked versions, also manually', () => {
    expect(isInstalled(checkout(text({ 'node_modules/a': { version: '1.0.0' } })))).toBe(true);
  });

  it('is due when a package is missing or locked in another version', () => {
    expect(matchesLock(lock, text({}))).toBe(false);
    expect(matchesLock(lock, text({ 'node_modules/a': { version: '1.0.1' } }))).toBe(false);
  });

  it('is due when an installed optional package is locked in another version', () => {
    const installed = {
      'node_modules/a': { version: '1.0.0' },
      'node_modules/other-system': { version: '2.0.0' },
    };
    expect(matchesLock(lock, text(installed))).toBe(false);
  });

  it('is not repeated for the same lock file, also if npm left packages out', () => {
    const root = checkout(text({}));
    expect(isInstalled(root)).toBe(false);
    const stamp = join(root, 'node_modules', '.sandglass', 'installed');
    writeFileSync(stamp, createHash('sha256').update(lock).digest('hex'));
    expect(isInstalled(root)).toBe(true);
  });
});
