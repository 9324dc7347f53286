// Loaded into a host and each of its threads (`--import`): its clock runs SANDGLASS_CLOCK_SPEED times as fast from the start of
// the process on, and its timers with it. Each thread writes the size of its heap into SANDGLASS_HEAP_FOLDER every second, and
// collects all garbage before it when the file `collect` there is new: V8 keeps pages of its heaps for later use.
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { threadId } from 'node:worker_threads';
import { replaceDate } from '../replaced-date.mjs';

const speed = Number(process.env.SANDGLASS_CLOCK_SPEED ?? 1);
const origin = Number(process.env.SANDGLASS_CLOCK_ORIGIN ?? Date.now());
const folder = process.env.SANDGLASS_HEAP_FOLDER;

if (folder !== undefined) {
  mkdirSync(folder, { recursive: true });
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  let collected = 0;
  const write = () => {
    const requested = statSync(join(folder, 'collect'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (requested > collected) collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    collected = requested;
    writeFileSync(join(folder, String(threadId)), String(getHeapStatistics().used_heap_size));
  };
  setInterval(write, 1_000).unref();
}

if (speed !== 1) {
  const real = { now: Date.now, elapsed: performance.now.bind(performance), uptime: os.uptime };
  const moved = () => Math.floor(origin + (real.now() - origin) * speed);
  replaceDate(moved);
  performance.now = () => real.elapsed() * speed;
  // The time since the machine started has passed at the ordinary speed until the process began.
  const began = real.uptime();
  os.uptime = () => began + (real.uptime() - began) * speed;
  syncBuiltinESMExports();
  globalThis.setTimeout = new Proxy(setTimeout, {
    apply: (target, self, [run, ms = 0, ...rest]) => Reflect.apply(target, self, [run, ms / speed, ...rest]),
  });
}
