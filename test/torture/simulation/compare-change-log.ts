import { z } from 'zod';
import type { LoggedEvent } from '../../../electron/engine/backends/backend.ts';
import { SandglassError } from '../../../shared/model/errors.ts';
import { changeText } from './simulated-model.ts';
import type { SimulatedStore } from './simulated-store.ts';

const CHANGES_A_PAGE = 500;
const compacted = z.object({ oldest: z.number() });

/**
 * [V2, V3] Throws unless the change log has each revision from the oldest one that it keeps, and in each the changes of its commit.
 * A purge may have removed changes; their revisions and the positions of the others stay.
 */
export async function compareChangeLog(store: SimulatedStore): Promise<void> {
  const { model, context } = store;
  const oldest = await oldestKept(store);
  let revision = oldest;
  let position = 0;
  for await (const { id, event } of eventsFrom(store, revision)) {
    const committed = model.committed.get(revision) ?? [];
    const at = event.kind === 'end' ? committed.length : event.position;
    const isComplete = at === position || revision <= model.purgedThrough;
    if (id !== `${revision}.${at}` || !isComplete)
      throw new Error(`the log has ${id} (${event.kind}) where ${revision}.${position} is next`);
    if (event.kind === 'end') {
      revision += 1;
      position = 0;
      continue;
    }
    const found = changeText({ ...event, id: event._id });
    if (found !== committed[at]) throw new Error(`the log has ${found} as ${id} instead of ${committed[at]}`);
    position = at + 1;
  }
  const newest = context.engine.backend.revision;
  if (revision !== newest + 1) throw new Error(`the log ends before ${revision} instead of after ${newest}`);
  store.count('revisions compared with their commits', revision - oldest);
}

/** Returns the oldest revision from which the log can be read, as a refused watch is told it. */
async function oldestKept({ context }: SimulatedStore): Promise<number> {
  try {
    await context.engine.backend.reads.changes({ from: { revision: 1, position: 0 }, limit: 1 });
    return 1;
  } catch (error) {
    if (!(error instanceof SandglassError) || error.code !== 'REVISION_COMPACTED') throw error;
    return compacted.parse(error.data).oldest;
  }
}

async function* eventsFrom({ context }: SimulatedStore, revision: number): AsyncGenerator<LoggedEvent> {
  const { reads } = context.engine.backend;
  for (let from = { revision, position: 0 }; ; ) {
    const { events, next, isEnd } = await reads.changes({ from, limit: CHANGES_A_PAGE });
    yield* events;
    if (isEnd) return;
    from = next;
  }
}
