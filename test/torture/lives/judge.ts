import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { EmbeddedEngine } from '../../../electron/engine/api/context.ts';
import { openEngine } from '../../../electron/engine/engine.ts';
import { createLogger } from '../../../electron/engine/platform/logger.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { disagreements } from '../../support/recount.ts';
import { settled } from '../../support/settled.ts';
import type { Acknowledgements } from './acknowledgements.ts';

/** Time that passes until the store is opened again, ms. */
const LATER_MS = 2_000;

/**
 * Opens the store that a cut or a kill left, lets its reaper finish, closes it, and counts it again. Returns what is
 * wrong: nothing, if all that was acknowledged is there and all that was removed is not.
 */
export async function judge(file: string, acknowledged: Acknowledgements): Promise<string[]> {
  const problems: string[] = [];
  const startAt = (acknowledged.at === 0 ? Date.now() : acknowledged.at) + LATER_MS;
  const clock = createManualClock(startAt);
  try {
    const { engine, stop } = openEngine({
      storeFile: file,
      clock,
      log: createLogger('warn', clock.now, line => problems.push(`logged: ${line.trim()}`)),
      version: '0.0.0-test',
      callsWaiting: () => 0,
      reads: 'inline',
    });
    try {
      problems.push(...(await contentProblems(engine, acknowledged)));
      await settled(engine, clock, () => problems.length > 0);
      problems.push(...(await contentProblems(engine, acknowledged)));
    } finally {
      await stop();
    }
    problems.push(...disagreements(file));
    problems.push(...backupProblems(file, acknowledged));
  } catch (error) {
    problems.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  }
  return [...new Set(problems)];
}

async function contentProblems(engine: EmbeddedEngine, acknowledged: Acknowledgements): Promise<string[]> {
  const { backend } = engine;
  const problems: string[] = [];
  if (backend.revision < acknowledged.revision)
    problems.push(
      `revision ${acknowledged.revision} was acknowledged and the store is at ${backend.revision}`,
    );
  const setting = backend.settings.get().logSeconds;
  if (!acknowledged.logSeconds.includes(setting))
    problems.push(`the setting is ${setting}, not ${acknowledged.logSeconds.join(' or ')}`);
  if (!backend.hasCollection('c')) {
    if (acknowledged.indexes.size > 0) problems.push('the collection is gone');
    return problems;
  }
  const ids = await storedIds(engine);
  problems.push(
    ...some(
      'was acknowledged and is gone',
      [...acknowledged.present].filter(id => !ids.has(id)),
    ),
  );
  problems.push(
    ...some(
      'was removed and came back',
      [...acknowledged.absent].filter(id => ids.has(id)),
    ),
  );
  const { expired } = await backend.reads.expired({ limit: 1_000 }, engine.clock.now());
  const restorable = expired.filter(one => one.restorable && acknowledged.purged.has(one._id));
  problems.push(
    ...some(
      'was purged and is restorable',
      restorable.map(({ _id }) => _id),
    ),
  );
  const names = new Set(backend.indexDefinitions('c').map(({ name }) => name));
  for (const [name, state] of acknowledged.indexes) {
    if (state === 'present' && !names.has(name)) problems.push(`the index ${name} was created and is gone`);
    if (state === 'absent' && names.has(name)) problems.push(`the index ${name} was dropped and is there`);
  }
  return problems;
}

async function storedIds(engine: EmbeddedEngine): Promise<Set<string>> {
  const ids = new Set<string>();
  let after: string | undefined;
  do {
    const page = await engine.backend.reads.documents(
      { collection: 'c', limit: 1_000, sort: '_id', order: 'asc', includeExpired: false, after },
      engine.clock.now(),
    );
    for (const { _id } of page.documents) ids.add(_id);
    after = page.next ?? undefined;
  } while (after !== undefined);
  return ids;
}

/** A backup has its name only when it is complete, and keeps it once it was reported. */
function backupProblems(file: string, { backups }: Acknowledgements): string[] {
  const folder = join(file, '..');
  const missing = [...backups].filter(name => !existsSync(join(folder, basename(name))));
  const broken = readdirSync(folder)
    .filter(name => /^backup-\w+\.sandglass$/.test(name))
    .filter(name => !isIntact(join(folder, name)));
  return [
    ...some('was reported as written and is gone', missing),
    ...some('is there and is not a complete backup', broken),
  ];
}

function isIntact(file: string): boolean {
  try {
    const db = new Sqlite(file, { readonly: true });
    try {
      const mark = db
        .prepare<[], number>(`SELECT count(*) FROM meta WHERE key = 'restoredFrom'`)
        .pluck()
        .get();
      return mark === 1 && db.pragma('quick_check', { simple: true }) === 'ok';
    } finally {
      db.close();
    }
  } catch {
    return false;
  }
}

function some(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [
    `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''} ${what}`,
  ];
}
