/** `node upgrade-child.ts STORE NOW`: opens a store, which brings it to today's format, and closes it. */
import { writeSync } from 'node:fs';
import { openEmbeddedStore } from '../../../electron/engine/backends/embedded/store.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const [file = '', now = ''] = process.argv.slice(2);
writeSync(1, 'begins\n');
const store = openEmbeddedStore({ file, clock: createManualClock(Number(now)), reads: 'inline' });
writeSync(1, 'opened\n');
await store.close();
writeSync(1, 'closed\n');
