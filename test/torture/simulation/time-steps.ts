import { DAY, HOUR, MINUTE, SECOND } from '../../support/engine.ts';
import type { Random } from '../../support/random.ts';
import type { SimulatedStore } from './simulated-store.ts';

export async function passTime(store: SimulatedStore, random: Random): Promise<string> {
  const ms = random.between(
    1,
    random.pick([5 * SECOND, MINUTE, HOUR, 10 * DAY, ...(store.isForYears ? [60 * DAY, 2_000 * DAY] : [])]),
  );
  await store.advance(ms, 25);
  return `${ms} ms pass`;
}

export async function stall(store: SimulatedStore, random: Random): Promise<string> {
  const ms = random.between(1, random.pick([60 * DAY, store.isForYears ? 1_500 * DAY : HOUR]));
  await store.advance(ms, 0);
  return `the process stands still for ${ms} ms`;
}

export async function sleep(store: SimulatedStore, random: Random): Promise<string> {
  const ms = random.between(1, random.pick([HOUR, 20 * DAY, store.isForYears ? 700 * DAY : MINUTE]));
  store.clock.suspend(ms);
  // Timers go on with what was left of them: at most half a minute [R10].
  store.clock.advance(31 * SECOND);
  return `the machine sleeps for ${ms} ms`;
}

export async function jump(store: SimulatedStore, random: Random): Promise<string> {
  const size = random.pick([600, MINUTE, 50 * MINUTE, 3 * HOUR, 400 * DAY]);
  const ms = random.between(-size, size);
  const expected = store.now + 31 * SECOND;
  store.clock.set(store.clock.now() + ms);
  store.clock.advance(31 * SECOND);
  store.checkTrusted(expected);
  await store.settle();
  // The trusted time survives the process.
  if (random.chance(0.3)) await store.reopen(random.between(0, MINUTE));
  await store.advance(random.between(1, 60) * SECOND, 25);
  return `the wall clock jumps by ${ms} ms`;
}

export async function restart(store: SimulatedStore, random: Random): Promise<string> {
  const ms = random.between(0, random.pick([SECOND, HOUR, 20 * DAY]));
  await store.reopen(ms);
  return `restart after ${ms} ms`;
}

export async function kill(store: SimulatedStore, random: Random): Promise<string> {
  const commits = random.between(0, 6);
  store.armKill(commits);
  return `a kill after ${commits} commits`;
}

export async function backUp(store: SimulatedStore): Promise<string> {
  await store.writeBackup();
  return 'backup';
}

export async function openBackup(store: SimulatedStore, random: Random): Promise<string> {
  if (!store.hasBackup) return 'no backup to open';
  const ms = random.between(0, random.pick([SECOND, HOUR, 20 * DAY]));
  await store.openBackup(ms);
  return `the backup is opened after ${ms} ms`;
}
