import type { Commit, EmbeddedBackend } from '../../electron/engine/backends/backend.ts';
import { ChangeReader } from '../../electron/engine/backends/embedded/read/read-changes.ts';
import { ReadConnection } from '../../electron/engine/backends/embedded/read/read-connection.ts';

const EVENTS_A_PAGE = 1_000;
const IDS_AT_ONCE = 500;

/** Returns a commit with one change for each document of an interval, as the change log has them. Call it at the commit. */
export function withEachExpiry(file: string, commit: Commit): Commit {
  const wanted = commit.changes.reduce((sum, { documents = 0 }) => sum + documents, 0);
  if (wanted === 0) return commit;
  const reader = new ReadConnection(file);
  try {
    const { events } = reader.read(() =>
      new ChangeReader(reader).read({ from: { revision: commit.revision, position: 0 }, limit: wanted }),
    );
    const changes = events.flatMap(({ event }) =>
      event.kind === 'end' || event.revision !== commit.revision ? [] : [{ ...event, id: event._id }],
    );
    return { ...commit, changes };
  } finally {
    reader.close();
  }
}

/** Returns the documents that a commit removed, those of an interval as the change log lists them. */
export async function expiredIds(
  { reads }: Pick<EmbeddedBackend, 'reads'>,
  { changes, revision }: Pick<Commit, 'changes' | 'revision'>,
): Promise<string[]> {
  const expired = changes.filter(({ kind }) => kind === 'expire');
  if (expired.every(({ documents }) => documents === undefined)) return expired.map(({ id }) => id);
  const ids: string[] = [];
  for (let from = { revision, position: 0 }; from.revision === revision; ) {
    const { events, next, isEnd } = await reads.changes({ from, limit: EVENTS_A_PAGE });
    for (const { event } of events)
      if (event.kind === 'expire' && event.revision === revision) ids.push(event._id);
    if (isEnd) break;
    from = next;
  }
  return ids;
}

/** Tells the ids of what a commit removed, as soon as they are read: at once, or for an interval after its commit. */
export function tellExpired(
  backend: Pick<EmbeddedBackend, 'reads'>,
  commit: Commit,
  tell: (ids: readonly string[]) => void,
): void {
  expiredIds(backend, commit).then(
    ids => {
      for (let i = 0; i < ids.length; i += IDS_AT_ONCE) tell(ids.slice(i, i + IDS_AT_ONCE));
    },
    // The store may be closed before they are read: then nobody is told.
    (error: unknown) => process.stderr.write(`the expired documents are not told: ${String(error)}\n`),
  );
}
