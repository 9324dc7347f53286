interface Pause {
  by: string;
  since: number;
}

/** Of the reaper's state, what says where it stands still. */
export interface ReaperStands {
  paused: Pause | null;
  pausedCollections: readonly (Pause & { collection: string })[];
  holds: readonly { collection: string | null }[];
}

/** What keeps a collection's documents from leaving: a pause or a hold, its own or the whole store's [R6, R8]. */
export type Stopped =
  | { is: 'paused'; what: 'collection' | 'store'; by: string; since: number }
  | { is: 'held'; what: 'collection' | 'store' };

/** A pause is told before a hold, and the store's before the collection's. Null: nothing stops it. */
export function stoppedOf(collection: string, reaper: ReaperStands | null): Stopped | null {
  if (reaper === null) return null;
  if (reaper.paused !== null) return { is: 'paused', what: 'store', ...reaper.paused };
  const own = reaper.pausedCollections.find(paused => paused.collection === collection);
  if (own !== undefined) return { is: 'paused', what: 'collection', by: own.by, since: own.since };
  if (reaper.holds.some(hold => hold.collection === null)) return { is: 'held', what: 'store' };
  return reaper.holds.some(hold => hold.collection === collection)
    ? { is: 'held', what: 'collection' }
    : null;
}

/** What can be asked of the reaper, as things stand. */
export interface Offer {
  /** One pass by hand: also where it is paused, never where it is held. */
  run: boolean;
  /** Nothing where what is around it is paused already: it would seem to do nothing. */
  pause: 'pause' | 'resume' | null;
}

/** For a collection, or for an index in it; `isPaused`: by a pause of its own. */
export function offerFor(
  collection: string,
  reaper: ReaperStands | null,
  of: { kind: 'collection' | 'index'; isPaused: boolean },
): Offer {
  const stopped = stoppedOf(collection, reaper);
  const isHeld =
    reaper?.holds.some(hold => hold.collection === null || hold.collection === collection) ?? false;
  const isPausedAround = stopped?.is === 'paused' && (stopped.what === 'store' || of.kind === 'index');
  return { run: !isHeld, pause: of.isPaused ? 'resume' : isPausedAround ? null : 'pause' };
}
