/**
 * `node thread-child.ts 'after MS'|'memory MIB' STORE LIFE PHASE…`: a process whose first thread lives in the store and ends in
 * the middle of it, and whose second thread then opens the same store and lives to its end.
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { entryUrl } from '../../../electron/engine/platform/entry-url.ts';

const LIFE = entryUrl('../lives/life-child.ts', import.meta.url);
const [how = '', file = '', life = '', ...phases] = process.argv.slice(2);
const [kind, amount] = how.split(' ');

const first = new Worker(LIFE, {
  argv: [file, life, ...phases],
  resourceLimits: kind === 'memory' ? { maxOldGenerationSizeMb: Number(amount) } : {},
});
let reason = 'by itself';
first.on('error', error => {
  reason = 'code' in error ? String(error.code) : error.message;
});
// `once` would reject with the error that ends the thread.
const ended = new Promise(resolve => first.once('exit', resolve));
if (kind === 'after') {
  const timer = setTimeout(() => {
    reason = 'terminated';
    void first.terminate();
  }, Number(amount));
  await ended;
  clearTimeout(timer);
} else await ended;
writeSync(1, `\nthread ended ${reason}\n`);

const second = new Worker(LIFE, { argv: [file, `${life}second`, 'writes', 'drain'] });
const [code] = await once(second, 'exit');
process.exit(code === 0 ? 0 : 1);
