import type { Pass } from '../../../../../shared/contract/reaper.ts';
import { SandglassError } from '../../../../../shared/model/errors.ts';
import type { SessionPool } from '../connection/session-pool.ts';
import { readPassesById } from '../governed/schema/passes-table.ts';
import { askForRun, type RunProgress, readRun, withdrawRun } from '../governed/schema/runs-table.ts';
import type { GovernanceWatch } from './governance-watch.ts';
import { toPasses } from './passes.ts';

/** How long a pass that a person started waits for a reaper, ms, and how often its end is looked for. */
const RUN_BEGINS_MS = 10_000;
const RUN_POLL_MS = 50;

interface RunParts {
  readonly pool: SessionPool;
  readonly watch: GovernanceWatch;
}

/** Asks the active reaper of the database for a pass, and waits for its end. Rejects with BUSY if there is none or it fails. */
export async function runPass(
  parts: RunParts,
  asked: { oid: number | null; name: string | null; by: string },
): Promise<{ removed: number; passes: Pass[] }> {
  const { pool, watch } = parts;
  const id = await pool.use(session => askForRun(session, asked));
  watch.reaper?.wake();
  const { removed, passIds, error } = await runProgress(parts, id);
  if (error !== null && removed === 0) throw new SandglassError('BUSY', `The pass failed: ${error}`);
  const passes = await pool.use(async session => toPasses(session, await readPassesById(session, passIds)));
  await watch.refresh();
  return { removed, passes };
}

/** Rejects with BUSY if no reaper begins the pass. */
async function runProgress({ pool, watch }: RunParts, id: string): Promise<RunProgress> {
  const began = watch.elapsed();
  for (;;) {
    const progress = await pool.use(session => readRun(session, id));
    if (progress === null) throw noReaper();
    if (progress.isEnded) return progress;
    const isOverdue = !progress.isStarted && watch.elapsed() - began > RUN_BEGINS_MS;
    if (isOverdue && (await pool.use(session => withdrawRun(session, id)))) throw noReaper();
    await watch.sleep(RUN_POLL_MS);
  }
}

function noReaper(): SandglassError {
  return new SandglassError('BUSY', 'No Sandglass instance removes rows of this database at present.');
}
