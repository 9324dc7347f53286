// Loaded into a host and each of its threads (`--import`): its wall clock is the one in the file SANDGLASS_CLOCK_FILE, which
// the test moves. Stopwatch, uptime and timers stay the machine's, as when a person sets the clock.
import { openSync, readSync } from 'node:fs';
import { replaceDate } from '../../replaced-date.mjs';
import { CLOCK_BYTES, wallIn } from './clock-file.mjs';

const file = process.env.SANDGLASS_CLOCK_FILE;
if (file !== undefined) {
  const descriptor = openSync(file, 'r');
  const bytes = Buffer.alloc(CLOCK_BYTES);
  const machine = Date.now;
  replaceDate(() => {
    readSync(descriptor, bytes, 0, CLOCK_BYTES, 0);
    return wallIn(bytes, machine());
  });
}
