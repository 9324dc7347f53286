import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import type { EmbeddedBackendReads } from '../../../electron/engine/backends/backend.ts';
import { MIGRATIONS } from '../../../electron/engine/backends/embedded/file/migrate.ts';
import { openEngine } from '../../../electron/engine/engine.ts';
import { systemClock } from '../../../electron/engine/platform/clock.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { isErrorCode } from '../../../shared/model/errors.ts';
import { disagreements } from '../../support/recount.ts';
import type { Account } from './account.ts';

const SETTLE_MS = 20_000;

/**
 * Opens the store without faults and compares it with the account: everything acknowledged is there, nothing removed
 * exists, stored counts agree with a recount, and each error was one of the contract. Returns what is wrong.
 */
export async function judge(scenario: string, file: string, account: Account): Promise<string[]> {
  const wrong: string[] = account.uncaught.map(error => `an uncaught error: ${error}`);
  wrong.push(...account.wrong.slice(0, 1));
  for (const key of Object.keys(account.errors)) {
    // No caller is told why a thread ended or the store did not close cleanly: they are in the log.
    if (/^(thread|stop): /.test(key)) continue;
    const code = key.slice(key.indexOf(': ') + 2);
    if (!isErrorCode(code) || code === 'INTERNAL_SERVER_ERROR')
      wrong.push(`an error that is not the contract’s: ${key}`);
  }
  try {
    // A follower's store opens only as a follower: its file alone is judged.
    if (scenario !== 'follower') wrong.push(...(await compare(file, account)));
    else if (!existsSync(`${file}-unsynced`)) wrong.push(...recount(file));
  } catch (error) {
    wrong.push(`it does not open: ${error instanceof Error ? error.message : String(error)}`);
  }
  const backup = `${file}.backup`;
  if (existsSync(backup)) wrong.push(...disagreements(backup).map(line => `the backup: ${line}`));
  return wrong;
}

async function compare(file: string, { present, gone }: Account): Promise<string[]> {
  const wrong: string[] = [];
  const { engine, stop } = openEngine({
    storeFile: file,
    clock: systemClock,
    log: createLogger('silent', systemClock.now),
    version: '0.0.0-test',
    callsWaiting: () => 0,
    reads: 'inline',
  });
  try {
    const { backend, indexBuilds, reaper } = engine;
    const end = systemClock.elapsed() + SETTLE_MS;
    const isBusy = () => backend.pendingBackfills().length > 0 || backend.unswept() > 0;
    do {
      indexBuilds.startPending();
      await indexBuilds.whenIdle();
      await reaper.whenIdle();
      await systemClock.sleep(5);
    } while (isBusy() && systemClock.elapsed() < end);
    if (isBusy()) wrong.push('it does not come to rest');
    const missing = backend.hasCollection('c') ? await missingOf(engine.backend.reads, present) : present;
    if (missing.length > 0)
      wrong.push(`${missing.length} acknowledged documents are lost, the first ${missing[0]}`);
    if (backend.hasCollection('c')) {
      const absent = new Set(await missingOf(engine.backend.reads, gone));
      const back = gone.filter(id => !absent.has(id));
      if (back.length > 0) wrong.push(`${back.length} removed documents came back, the first ${back[0]}`);
    }
  } finally {
    await stop();
  }
  return [...wrong, ...recount(file)];
}

async function missingOf(
  reads: Pick<EmbeddedBackendReads, 'missing'>,
  ids: readonly string[],
): Promise<string[]> {
  return ids.length === 0 ? [] : (await reads.missing('c', ids)).missing;
}

function recount(file: string): string[] {
  return isCreated(file) ? disagreements(file) : [];
}

/** Whether the store has all its tables: a scenario may have ended before its first opening succeeded. */
function isCreated(file: string): boolean {
  if (!existsSync(file)) return false;
  // For writing: a journal that could not be deleted is rolled back, as at every opening of the store.
  const db = new Sqlite(file);
  try {
    return db.pragma('user_version', { simple: true }) === MIGRATIONS.length;
  } finally {
    db.close();
  }
}
