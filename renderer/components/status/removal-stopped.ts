interface Pause {
  by: string;
  since: number;
}

/** The part of the reaper's state with its pauses and holds. */
export interface ReaperStops {
  paused: Pause | null;
  pausedCollections: readonly (Pause & { collection: string })[];
  holds: readonly { collection: string | null }[];
}

/** A pause or a hold that stops removal from a collection: its own, or the whole store's [R6, R8]. */
export type Stopped =
  | { is: 'paused'; what: 'collection' | 'store'; by: string; since: number }
  | { is: 'held'; what: 'collection' | 'store' };

/** Returns a pause before a hold, and the whole store's before the collection's; null: removal is not stopped. */
export function stoppedOf(collection: string, reaper: ReaperStops | null): Stopped | null {
  if (reaper === null) return null;
  if (reaper.paused !== null) return { is: 'paused', what: 'store', ...reaper.paused };
  const own = reaper.pausedCollections.find(paused => paused.collection === collection);
  if (own !== undefined) return { is: 'paused', what: 'collection', by: own.by, since: own.since };
  if (reaper.holds.some(hold => hold.collection === null)) return { is: 'held', what: 'store' };
  return reaper.holds.some(hold => hold.collection === collection)
    ? { is: 'held', what: 'collection' }
    : null;
}

/** Actions that are possible in the present state. */
export interface Offer {
  /** One manual pass: possible while paused, not while held. */
  run: boolean;
  /** Null while the whole store or the collection of the index is paused: pausing would have no visible effect. */
  pause: 'pause' | 'resume' | null;
}

/** For a collection, or for an index in it; `isPaused`: it has a pause of its own. */
export function offerFor(
  collection: string,
  reaper: ReaperStops | null,
  of: { kind: 'collection' | 'index'; isPaused: boolean },
): Offer {
  const stopped = stoppedOf(collection, reaper);
  const isHeld =
    reaper?.holds.some(hold => hold.collection === null || hold.collection === collection) ?? false;
  const isPausedAround = stopped?.is === 'paused' && (stopped.what === 'store' || of.kind === 'index');
  return { run: !isHeld, pause: of.isPaused ? 'resume' : isPausedAround ? null : 'pause' };
}
