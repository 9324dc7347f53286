import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Part, Report, Run } from '../part.ts';
import { cutStates, type Recorded, writeFiles } from '../power-cuts/cut-states.ts';
import { NO_RECORDING, record } from '../power-cuts/recording.ts';
import { type EarlierStore, earlierStores, FIXTURE_NOW } from './earlier-stores.ts';
import { answersAfterUpgrade, documentRows, judgeUpgrade, laterIsRefused } from './judge-upgrade.ts';

const CHILD = new URL('./upgrade-child.ts', import.meta.url).pathname;
const STORE = 'old.sandglass';
const FAILURES_SHOWN = 20;
/** Cuts of the sample on each file system: one of each kind of place (cut-places.ts). */
const QUICK_CUTS = 4;
/** Longest time until a kill after the child has begun, ms. */
const MOST_DELAY_MS = 60;

export const UPGRADES: Part = {
  name: 'upgrades',
  title: 'interrupted upgrades of earlier stores',
  share: 1,
  missing: NO_RECORDING,
  run: upgrades,
};

async function upgrades(run: Run): Promise<Report> {
  const { folder, isQuick, endsAt, random, seed } = run;
  const all = earlierStores(folder);
  const stores = isQuick ? all.slice(1, 2) : all;
  const done = { formats: stores.map(({ format }) => format).join(', '), cuts: 0, kills: 0 };
  const failures: string[] = [];
  for (let round = 0; round === 0 || (!isQuick && performance.now() < endsAt); round++) {
    for (const store of stores) {
      const place = join(folder, 'place');
      const file = join(place, STORE);
      const expected = await uninterrupted(place, store);
      const report = (when: string, problems: readonly string[]) =>
        failures.push(
          ...problems.map(problem => `seed ${seed}, format ${store.format}, ${when}: ${problem}`),
        );
      report('after its migration', laterIsRefused(file));
      const recorded = await recordUpgrade(join(folder, 'recorded'), store);
      for (const fileSystem of ['posix', 'ordered'] as const) {
        for (const state of cutStates(recorded, { fileSystem, random, count: isQuick ? QUICK_CUTS : 40 })) {
          writeFiles(state.files, recorded.folder, place);
          report(`cut at ${state.at} (${fileSystem}, ${state.fate})`, await judgeUpgrade(file, expected));
          done.cuts += 1;
        }
      }
      // A kill leaves what a cut leaves at which all writes are kept.
      for (let kill = 0; kill < (isQuick ? 0 : 10); kill++) {
        placeStore(place, store);
        const afterMs = random.between(0, MOST_DELAY_MS);
        await killUpgrade(file, afterMs);
        report(`killed after ${afterMs} ms`, await judgeUpgrade(file, expected));
        done.kills += 1;
      }
      run.say(
        `format ${store.format}: ${done.cuts} cuts and ${done.kills} kills, ${failures.length} failures`,
      );
    }
  }
  return { done, failures: failures.slice(0, FAILURES_SHOWN) };
}

/** Places the store in an empty folder. */
function placeStore(folder: string, store: EarlierStore): void {
  writeFiles(filesOf(folder, store), folder, folder);
}

function filesOf(folder: string, { bytes, log }: EarlierStore): ReadonlyMap<string, Buffer> {
  const file = join(folder, STORE);
  return new Map([[file, bytes], ...(log === null ? [] : [[`${file}-wal`, log] as const])]);
}

async function uninterrupted(folder: string, store: EarlierStore) {
  placeStore(folder, store);
  const file = join(folder, STORE);
  const rows = documentRows(file);
  return { format: store.format, rows, answers: await answersAfterUpgrade(file) };
}

async function recordUpgrade(folder: string, store: EarlierStore): Promise<Recorded> {
  placeStore(folder, store);
  const calls = await record(folder, [CHILD, join(folder, STORE), String(FIXTURE_NOW)]);
  return { folder, files: filesOf(folder, store), calls };
}

async function killUpgrade(file: string, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [CHILD, file, String(FIXTURE_NOW)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), afterMs));
  await ended;
}
