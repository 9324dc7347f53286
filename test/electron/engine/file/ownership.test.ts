import { mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { it } from 'vitest';
import { takeOwnership } from '../../../../electron/engine/backends/embedded/file/ownership.ts';
import { temporaryStoreFile } from '../../../support/temporary.ts';

it('[S2] the lock of a store is released also if the file that names its owner cannot be removed', () => {
  const file = temporaryStoreFile();
  const release = takeOwnership(file);
  rmSync(`${file}-owner`);
  mkdirSync(`${file}-owner`);
  release();
  rmdirSync(`${file}-owner`);
  takeOwnership(file)();
});
