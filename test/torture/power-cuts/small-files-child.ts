/** A process that is recorded: `node small-files-child.ts FOLDER`. Replaces each small file four times, and says so. */
import { writeSync } from 'node:fs';
import { smallFilesIn } from './small-files.ts';

const VERSIONS = 4;
const [folder = ''] = process.argv.slice(2);
for (let nth = 1; nth <= VERSIONS; nth++) {
  for (const [name, file] of Object.entries(smallFilesIn(folder))) {
    writeSync(1, `begins ${nth} ${name}\n`);
    await file.write(nth);
    writeSync(1, `written ${nth} ${name}\n`);
  }
}
