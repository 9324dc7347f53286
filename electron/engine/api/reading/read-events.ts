import type { z } from 'zod';
import type { events } from '../../../../shared/contract/events.ts';
import {
  formatLogPosition,
  type LogPosition,
  nextLogPosition,
  parseLogPosition,
} from '../../../../shared/model/change-log/log-position.ts';
import { SandglassError } from '../../../../shared/model/errors.ts';
import { stringifyJson } from '../../../../shared/model/json/json.ts';
import type { EmbeddedBackendReads } from '../../backends/backend.ts';
import { nextChanges } from '../../feeds/next-changes.ts';
import type { Clock } from '../../platform/clock.ts';

/** The change log of a store, for its readers. */
export interface EventStore {
  readonly reads: Pick<EmbeddedBackendReads, 'changes' | 'isInLog'>;
  readonly clock: Clock;
  readonly revision: number;
  /** Throws COLLECTION_NOT_FOUND. */
  checkCollection(name: string): void;
  hasCollection(name: string): boolean;
  onCommit(listener: () => void): () => void;
}

type Input = z.output<(typeof events)['read']['~orpc']['inputSchema'] & {}>;
type Output = z.input<(typeof events)['read']['~orpc']['outputSchema'] & {}>;

/** Returns a page of events, after a wait if there is none yet. Throws like `startOfEvents`, and REVISION_COMPACTED. */
export async function readEvents(
  store: EventStore,
  { collection, limit, waitMs, from: given }: Input,
  signal: AbortSignal | undefined,
): Promise<Output> {
  const from = await startOfEvents(store, collection, undefined, given);
  const page = await nextChanges(
    { backend: store, clock: store.clock },
    { from, collection, limit },
    { waitMs, signal },
  );
  return { events: page.events, next: formatLogPosition(page.next), revision: store.revision };
}

/** Returns the page that `readEvents` does, as the text of server-sent events. */
export async function readEventFrames(
  store: EventStore,
  input: Input,
  signal: AbortSignal | undefined,
): Promise<z.input<(typeof events)['readFrames']['~orpc']['outputSchema'] & {}>> {
  const { events: found, next } = await readEvents(store, input, signal);
  let frames = '';
  for (const { id, event } of found) frames += `event: message\nid: ${id}\ndata: ${stringifyJson(event)}\n\n`;
  return { frames, next };
}

/**
 * Start position of a watch. Throws BAD_REQUEST, and COLLECTION_NOT_FOUND for a name that the log does not contain.
 */
export async function startOfEvents(
  store: Pick<EventStore, 'reads' | 'revision' | 'checkCollection' | 'hasCollection'>,
  collection: string | undefined,
  lastEventId: string | undefined,
  from: string | undefined,
): Promise<LogPosition> {
  const isKnown = collection === undefined || store.hasCollection(collection);
  // An unknown name is an error, not an endless stream; the events of a dropped collection are streamed to its end.
  if (!isKnown && !(await store.reads.isInLog(collection))) store.checkCollection(collection);
  if (lastEventId !== undefined && lastEventId !== '') {
    // The event was received: the watch continues after it.
    return nextLogPosition(placeOf(lastEventId));
  }
  return from === undefined ? { revision: store.revision + 1, position: 0 } : placeOf(from);
}

/** Throws BAD_REQUEST for an invalid position. */
function placeOf(text: string): LogPosition {
  const place = parseLogPosition(text);
  if (place !== null) return place;
  throw new SandglassError(
    'BAD_REQUEST',
    `${text} is not a position in the log: use revision or revision.position.`,
    { from: text },
  );
}
