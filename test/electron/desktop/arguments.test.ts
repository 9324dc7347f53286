import { describe, expect, it } from 'vitest';
import { readArguments } from '../../../electron/desktop/arguments.ts';
import { defaultStoreFile } from '../../../electron/engine/platform/paths.ts';

describe('the desktop’s command line', () => {
  it.each([
    [[], defaultStoreFile(), 'info'],
    [['--store', 'a.sandglass', '--log-level', 'debug'], 'a.sandglass', 'debug'],
    [['--store=b.sandglass'], 'b.sandglass', 'info'],
    [['main.js', '--no-sandbox', '--enable-features=A', '--store', 'c', '-psn_0_1'], 'c', 'info'],
    [['--store'], defaultStoreFile(), 'info'],
    [['--log-level', 'loud'], defaultStoreFile(), 'info'],
  ])('%j opens %s and logs %s', (words, storeFile, logLevel) => {
    expect(readArguments(words)).toEqual({ storeFile, logLevel });
  });
});
